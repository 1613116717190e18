// Titles, authors, chapters and captions of the clips. All of them are invented.

/// Scene and the titles that fit it. More than a playlist needs, so that seeds differ in which of
/// them they use.
pub(crate) const SCENES: &[(&str, &[&str])] = &[
    ("skyline", &["Rooftops After Ten", "The Last Tram", "Lights on Quarry Hill", "City in Low Gear"]),
    ("waves", &["Tide Table", "Slow Water", "Harbour at Dusk", "A Swell from the West"]),
    ("orbits", &["Seven Small Worlds", "Clockwork Sky", "The Quiet Planets", "Gravity for Beginners"]),
    ("dunes", &["Sand in Motion", "Noon without Shade", "The Long Ridge", "Caravan Weather"]),
    ("bars", &["Study in Columns", "Signal and Noise", "Sixteen Voices", "Morning Equaliser"]),
    ("lanterns", &["Lantern Season", "Things That Float", "Paper Sky", "Goodnight, River"]),
];

pub(crate) const AUTHORS: &[&str] =
    &["Mirelle Osei", "Studio Halfmoon", "Tadeo Brink", "Northlight Collective", "Ines Calvary", "Paper Engine"];

pub(crate) const CHAPTERS: &[&str] =
    &["Opening", "First light", "A wider view", "Crossing", "The turn", "Held breath", "Quiet part", "Closing"];

/// Language and what is said, three lines for each scene.
type Lines = (&'static str, [&'static str; 3]);

pub(crate) fn caption_lines(scene: &str) -> &'static [Lines] {
    match scene {
        "skyline" => &[
            (
                "en",
                [
                    "The city turns its lamps on one by one.",
                    "Nobody is in a hurry tonight.",
                    "Even the trams are whispering.",
                ],
            ),
            (
                "de",
                [
                    "Die Stadt macht ein Licht nach dem anderen an.",
                    "Heute Nacht hat es niemand eilig.",
                    "Sogar die Bahnen flüstern.",
                ],
            ),
            (
                "es",
                [
                    "La ciudad enciende sus luces una a una.",
                    "Esta noche nadie tiene prisa.",
                    "Hasta los tranvías susurran.",
                ],
            ),
        ],
        "waves" => &[
            ("en", ["The sea counts without numbers.", "Every wave is early or late.", "Then the light leans over."]),
            (
                "de",
                ["Das Meer zählt ohne Zahlen.", "Jede Welle kommt zu früh oder zu spät.", "Dann neigt sich das Licht."],
            ),
            ("es", ["El mar cuenta sin números.", "Cada ola llega pronto o tarde.", "Luego la luz se inclina."]),
        ],
        "orbits" => &[
            ("en", ["Small worlds keep their distance.", "The inner ones are quick.", "The outer ones have time."]),
            ("de", ["Kleine Welten halten Abstand.", "Die inneren sind schnell.", "Die äußeren haben Zeit."]),
            (
                "es",
                ["Los mundos pequeños guardan distancia.", "Los de dentro son rápidos.", "Los de fuera tienen tiempo."],
            ),
        ],
        "dunes" => &[
            (
                "en",
                [
                    "The wind writes and rubs out again.",
                    "A ridge is only a resting wave.",
                    "Walk before the noon does.",
                ],
            ),
            (
                "de",
                [
                    "Der Wind schreibt und wischt wieder aus.",
                    "Ein Grat ist nur eine ruhende Welle.",
                    "Geh los, bevor der Mittag geht.",
                ],
            ),
            (
                "es",
                [
                    "El viento escribe y vuelve a borrar.",
                    "Una cresta es una ola en reposo.",
                    "Camina antes que el mediodía.",
                ],
            ),
        ],
        "bars" => &[
            ("en", ["Sixteen voices, one breath.", "Listen for the low ones.", "Now they all agree."]),
            ("de", ["Sechzehn Stimmen, ein Atem.", "Achte auf die tiefen.", "Jetzt sind sich alle einig."]),
            ("es", ["Dieciséis voces, un aliento.", "Escucha las graves.", "Ahora todas coinciden."]),
        ],
        _ => &[
            ("en", ["Each lantern carries one wish.", "The river does not read them.", "It only lets them go."]),
            ("de", ["Jede Laterne trägt einen Wunsch.", "Der Fluss liest sie nicht.", "Er lässt sie nur ziehen."]),
            ("es", ["Cada farol lleva un deseo.", "El río no los lee.", "Solo los deja ir."]),
        ],
    }
}
