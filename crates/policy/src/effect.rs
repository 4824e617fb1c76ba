/// What a rule says about what it matches, from the mildest to the strictest.
///
/// Effects combine by [`Ord::max`]: the strictest counts.
///
/// ```
/// use innercmd_policy::Effect;
///
/// assert_eq!([Effect::Ask, Effect::Deny, Effect::Allow].into_iter().max(), Some(Effect::Deny));
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::EnumIter, strum::IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
pub enum Effect {
    /// It may run without a question.
    Allow,
    /// A person decides.
    Ask,
    /// It may not run.
    Deny,
}

impl Effect {
    /// The effect that `word` names in a policy file.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "allow" => Some(Self::Allow),
            "ask" => Some(Self::Ask),
            "deny" => Some(Self::Deny),
            _ => None,
        }
    }

    /// The word for it in a policy file.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn effects_order_from_mild_to_strict() {
        assert!(Effect::Allow < Effect::Ask);
        assert!(Effect::Ask < Effect::Deny);
    }

    #[test]
    fn every_name_parses_to_its_effect() {
        for effect in Effect::iter() {
            assert_eq!(Effect::parse(effect.name()), Some(effect));
        }
        assert_eq!(Effect::parse("Allow"), None);
        assert_eq!(Effect::parse(""), None);
    }
}
