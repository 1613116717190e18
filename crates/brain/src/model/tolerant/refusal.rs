//! Whether words without a call decline the task.

use super::shortened;

/// How refusals begin, or what they say in their first sentence. In the languages that models answer in.
const SIGNS: &[&str] = &[
    "i'm sorry, but i can",
    "i'm sorry, i can",
    "i am sorry, but i can",
    "sorry, but i can't",
    "sorry, i can't",
    "i can't assist with",
    "i can't help with",
    "i cannot assist with",
    "i cannot help with",
    "i can't do that",
    "i cannot do that",
    "i cannot fulfill",
    "i can't fulfill",
    "i won't be able to",
    "i'm not able to help",
    "i'm unable to",
    "i am unable to",
    "i must decline",
    "as an ai",
    "抱歉，我无法",
    "抱歉,我无法",
    "对不起，我不能",
    "我无法协助",
    "申し訳ありませんが",
    "es tut mir leid, aber ich kann",
    "lo siento, pero no puedo",
    "je suis désolé, mais je ne peux",
];

pub(crate) fn is_refusal(text: &str) -> bool {
    let beginning = shortened(text.trim(), 300).to_lowercase().replace(['’', '‘'], "'");
    SIGNS.iter().any(|sign| beginning.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::is_refusal;

    #[test]
    fn declining_and_working_are_told_apart() {
        for text in
            ["I'm sorry, but I can't help with that.", "I’m sorry, I cannot do this", "抱歉，我无法完成这个请求。"]
        {
            assert!(is_refusal(text), "{text}");
        }
        for text in ["The page says sorry. I will click Back.", "", "I cannot see the button yet; scroll down."] {
            assert!(!is_refusal(text), "{text}");
        }
    }
}
