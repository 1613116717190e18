//! Elements held by their node id: nothing is written into the page to find them again. Also how a
//! closed shadow root is opened for our library, which only the protocol can do.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::page::{Page, PageTrouble, checked};
use super::places::Place;
use crate::cdp::CdpError;
use crate::cdp::protocol::dom;
use crate::cdp::protocol::runtime::{self, Argument};

/// Objects that the page keeps for us are let go together.
const GROUP: &str = "surehand";

/// An element of some document, found again by its number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NodeRef {
    pub(crate) place: Place,
    pub(crate) backend: i64,
}

impl Page {
    /// The element that an expression gives; `None` for null.
    pub(crate) async fn node(&self, place: &Place, expression: &str) -> Result<Option<NodeRef>, PageTrouble> {
        let found = self.unless_interrupted(self.describe(place, expression)).await?;
        self.let_go_of_objects(place);
        Ok(found.map(|(_, node)| NodeRef { place: place.clone(), backend: node.backend_node_id }))
    }

    /// Calls a function of our library with the element first and the arguments after it.
    pub(crate) async fn call_on<T: DeserializeOwned>(
        &self,
        node: &NodeRef,
        function: &str,
        arguments: Vec<Value>,
    ) -> Result<T, PageTrouble> {
        let place = &node.place;
        let declaration = format!("function(...rest) {{ return __surehand.{function}(this, ...rest); }}");
        let arguments: Vec<Argument> = arguments.into_iter().map(|value| Argument::Value { value }).collect();
        let work = self.in_world(&place.session, &place.frame, |context| {
            let (declaration, arguments) = (declaration.clone(), arguments.clone());
            async move {
                let resolve = dom::ResolveNode {
                    backend_node_id: node.backend,
                    execution_context_id: context,
                    object_group: GROUP,
                };
                let object = self.connection.call(Some(&place.session), &resolve, self.deadline).await?.object;
                self.call_with(place, declaration, object.object_id.unwrap_or_default(), arguments).await
            }
        });
        let value = self.unless_interrupted(work).await?;
        self.let_go_of_objects(place);
        serde_json::from_value(value).map_err(|error| PageTrouble::Unknown(format!("the page answered oddly: {error}")))
    }

    /// Opens the closed root of the element that the expression gives, if it has one.
    pub(crate) async fn open_closed_root(&self, place: &Place, expression: &str) -> Result<bool, PageTrouble> {
        let Some((object, node)) = self.unless_interrupted(self.describe(place, expression)).await? else {
            return Ok(false);
        };
        let closed = node.shadow_roots.iter().find(|root| root.shadow_root_type.as_deref() == Some("closed"));
        let opened = self.in_world(&place.session, &place.frame, |context| {
            let (object, closed) = (object.clone(), closed.map(|root| root.backend_node_id));
            async move {
                let root = match closed {
                    Some(backend_node_id) => {
                        let resolve =
                            dom::ResolveNode { backend_node_id, execution_context_id: context, object_group: GROUP };
                        let root = self.connection.call(Some(&place.session), &resolve, self.deadline).await?;
                        Argument::Object { object_id: root.object.object_id.unwrap_or_default() }
                    }
                    None => Argument::Value { value: Value::Null },
                };
                let declaration = "function(root) { return __surehand.adopt(this, root); }".to_string();
                self.call_with(place, declaration, object, vec![root]).await
            }
        });
        let opened = self.unless_interrupted(opened).await?;
        self.let_go_of_objects(place);
        Ok(opened == Value::Bool(true))
    }

    async fn call_with(
        &self,
        place: &Place,
        function_declaration: String,
        object_id: String,
        arguments: Vec<Argument>,
    ) -> Result<Value, CdpError> {
        let method = runtime::CallFunctionOn {
            function_declaration,
            object_id,
            arguments,
            return_by_value: true,
            await_promise: true,
            object_group: GROUP,
        };
        Ok(checked(self.connection.call(Some(&place.session), &method, self.deadline).await?)?.value)
    }

    async fn describe(&self, place: &Place, expression: &str) -> Result<Option<(String, dom::Node)>, PageTrouble> {
        let object = self
            .in_world(&place.session, &place.frame, |context| async move {
                let method = runtime::Evaluate {
                    expression: expression.to_string(),
                    context_id: Some(context),
                    object_group: Some(GROUP),
                    ..runtime::Evaluate::default()
                };
                checked(self.connection.call(Some(&place.session), &method, self.deadline).await?)
            })
            .await?;
        let Some(object_id) = object.object_id else { return Ok(None) };
        let method = dom::DescribeNode { object_id: object_id.clone() };
        let described = self.connection.call(Some(&place.session), &method, self.deadline).await?;
        Ok(Some((object_id, described.node)))
    }

    fn let_go_of_objects(&self, place: &Place) {
        let method = runtime::ReleaseObjectGroup { object_group: GROUP };
        self.connection.start_call(Some(&place.session), &method).forget();
    }
}
