//! How the smaller parts of a plan are written into a file and described in its schema: names with entries, times, amounts,
//! policies. Separate from the vocabulary because none of it can be derived.

use std::fmt;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{Dollars, GiveUp, Named, OnFailure, Span};

impl<T> Default for Named<T> {
    fn default() -> Named<T> {
        Named(Vec::new())
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<T: JsonSchema> JsonSchema for Named<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Named{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let of = generator.subschema_for::<T>();
        schemars::json_schema!({"type": "object", "additionalProperties": of})
    }
}

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            whole if whole % 1000 == 0 => write!(formatter, "{}s", whole / 1000),
            part => write!(formatter, "{part}ms"),
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Span {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Span".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"oneOf": [
            {"type": "number", "exclusiveMinimum": 0},
            {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? ?(ms|s|m|h)$"}]})
    }
}

impl Dollars {
    pub fn as_number(self) -> f64 {
        // Exact up to 2^53 millionths, far above any bound that is read.
        self.0 as f64 / 1e6
    }
}

impl Serialize for Dollars {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_number())
    }
}

impl JsonSchema for Dollars {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Dollars".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "number", "exclusiveMinimum": 0})
    }
}

impl fmt::Display for OnFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let then = match self.then {
            GiveUp::Stop => "stop",
            GiveUp::Skip => "skip",
            GiveUp::Ask => "ask",
        };
        match self.retries {
            0 => formatter.write_str(then),
            retries => write!(formatter, "retry {retries} then {then}"),
        }
    }
}

impl Serialize for OnFailure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for OnFailure {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OnFailure".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": "^(stop|skip|ask|retry( [0-9]+)?( then (stop|skip|ask))?)$"})
    }
}
