//! The runtime knobs beside the permission map.

use jsonc_parser::ast::{self, Value};

use super::{
    problem::{Problems, closest},
    section::place,
};

/// The runtime knobs of a policy file, as they are written.
///
/// They are read so that a file with them is valid, and kept for the host. None of them loosens a judgement: `yoloMode` in
/// particular, which makes the host allow what its policy asks about, is not followed here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Knobs {
    /// `debugLog`.
    pub debug_log: Option<bool>,
    /// `permissionReviewLog`.
    pub permission_review_log: Option<bool>,
    /// `yoloMode`.
    pub yolo_mode: Option<bool>,
    /// `doublePressToConfirm`.
    pub double_press_to_confirm: Option<bool>,
    /// `toolInputPreviewMaxLength`, in characters.
    pub tool_input_preview_max_length: Option<u64>,
    /// `toolTextSummaryMaxLength`, in characters.
    pub tool_text_summary_max_length: Option<u64>,
    /// `piInfrastructureReadPaths`.
    pub pi_infrastructure_read_paths: Option<Vec<String>>,
    /// `authorizerChain`: the names of the links, in their order.
    pub authorizer_chain: Option<Vec<String>>,
    /// `shellTools`: the tools that carry shell commands.
    pub shell_tools: Vec<ShellTool>,
}

/// A tool that carries a shell command, and the arguments that hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShellTool {
    /// The name of the tool.
    pub name: String,
    /// The argument that holds the command.
    pub command_argument: String,
    /// The argument that holds the working directory, where there is one.
    pub workdir_argument: Option<String>,
}

/// The keys of a policy file.
pub(crate) const KEYS: [&str; 11] = [
    "$schema",
    "debugLog",
    "permissionReviewLog",
    "yoloMode",
    "doublePressToConfirm",
    "toolInputPreviewMaxLength",
    "toolTextSummaryMaxLength",
    "piInfrastructureReadPaths",
    "authorizerChain",
    "shellTools",
    "permission",
];

impl Knobs {
    /// Reads all keys of `object` but `permission`.
    pub(super) fn read(object: &ast::Object<'_>, problems: &mut Problems<'_>) -> Self {
        let mut knobs = Self::default();
        for property in &object.properties {
            let value = &property.value;
            match property.name.as_str() {
                "$schema" => drop(text(value, problems)),
                "permission" => {}
                "debugLog" => knobs.debug_log = flag(value, problems),
                "permissionReviewLog" => knobs.permission_review_log = flag(value, problems),
                "yoloMode" => knobs.yolo_mode = flag(value, problems),
                "doublePressToConfirm" => knobs.double_press_to_confirm = flag(value, problems),
                "toolInputPreviewMaxLength" => knobs.tool_input_preview_max_length = count(value, problems),
                "toolTextSummaryMaxLength" => knobs.tool_text_summary_max_length = count(value, problems),
                "piInfrastructureReadPaths" => knobs.pi_infrastructure_read_paths = texts(value, problems),
                "authorizerChain" => knobs.authorizer_chain = texts(value, problems),
                "shellTools" => knobs.shell_tools = shell_tools(value, problems),
                other => unknown_key(other, property, problems),
            }
        }
        knobs
    }

    /// Lets `over` override, as the host merges scopes: each knob it sets, and each shell tool by its name.
    ///
    /// A chain of a narrower scope can take links away, but not bring in what a wider scope left out.
    pub(crate) fn merge(&mut self, over: &Self) {
        fn set<T: Clone>(into: &mut Option<T>, from: &Option<T>) {
            if from.is_some() {
                into.clone_from(from);
            }
        }
        set(&mut self.debug_log, &over.debug_log);
        set(&mut self.permission_review_log, &over.permission_review_log);
        set(&mut self.yolo_mode, &over.yolo_mode);
        set(&mut self.double_press_to_confirm, &over.double_press_to_confirm);
        set(&mut self.tool_input_preview_max_length, &over.tool_input_preview_max_length);
        set(&mut self.tool_text_summary_max_length, &over.tool_text_summary_max_length);
        set(&mut self.pi_infrastructure_read_paths, &over.pi_infrastructure_read_paths);
        match (&mut self.authorizer_chain, &over.authorizer_chain) {
            (Some(chain), Some(narrower)) => chain.retain(|link| narrower.contains(link)),
            (chain @ None, Some(first)) => *chain = Some(first.clone()),
            (_, None) => {}
        }
        for tool in &over.shell_tools {
            match self.shell_tools.iter_mut().find(|known| known.name == tool.name) {
                Some(known) => known.clone_from(tool),
                None => self.shell_tools.push(tool.clone()),
            }
        }
    }
}

fn unknown_key(key: &str, property: &ast::ObjectProp<'_>, problems: &mut Problems<'_>) {
    let (start, end) = place(&property.name);
    let surface = closest(key, super::permission::SURFACES).filter(|surface| *surface != "*");
    let meant = match (closest(key, KEYS), surface) {
        (Some(known), _) => Some(format!("did you mean `{known}`?")),
        (None, Some(surface)) => Some(format!("did you mean `{surface}` inside `permission`?")),
        (None, None) => None,
    };
    problems.note(start, end, "unknown key", meant);
}

fn expected(what: &str, value: &Value<'_>, problems: &mut Problems<'_>) {
    let (start, end) = place(value);
    problems.note(start, end, format!("expected {what}, found"), None);
}

fn flag(value: &Value<'_>, problems: &mut Problems<'_>) -> Option<bool> {
    let flag = value.as_boolean_lit().map(|flag| flag.value);
    if flag.is_none() {
        expected("true or false", value, problems);
    }
    flag
}

fn text(value: &Value<'_>, problems: &mut Problems<'_>) -> Option<String> {
    let text = value.as_string_lit().map(|text| text.value.to_string());
    if text.is_none() {
        expected("a string", value, problems);
    }
    text
}

fn count(value: &Value<'_>, problems: &mut Problems<'_>) -> Option<u64> {
    let count = value.as_number_lit().and_then(|number| number.value.parse().ok()).filter(|count| *count >= 1);
    if count.is_none() {
        expected("a whole number from 1 on", value, problems);
    }
    count
}

fn texts(value: &Value<'_>, problems: &mut Problems<'_>) -> Option<Vec<String>> {
    let Some(list) = value.as_array() else {
        expected("a list of strings", value, problems);
        return None;
    };
    let texts: Vec<Option<String>> = list.elements.iter().map(|element| text(element, problems)).collect();
    texts.into_iter().collect()
}

fn shell_tools(value: &Value<'_>, problems: &mut Problems<'_>) -> Vec<ShellTool> {
    let Some(tools) = value.as_object() else {
        expected("a map of tools", value, problems);
        return vec![];
    };
    tools.properties.iter().filter_map(|tool| shell_tool(tool, problems)).collect()
}

fn shell_tool(tool: &ast::ObjectProp<'_>, problems: &mut Problems<'_>) -> Option<ShellTool> {
    let Some(parts) = tool.value.as_object() else {
        expected("a map of arguments", &tool.value, problems);
        return None;
    };
    let (mut command, mut workdir) = (None, None);
    for part in &parts.properties {
        match part.name.as_str() {
            "commandArgument" => command = text(&part.value, problems),
            "workdirArgument" => workdir = text(&part.value, problems),
            other => {
                let (start, end) = place(&part.name);
                let meant = closest(other, ["commandArgument", "workdirArgument"]);
                problems.note(start, end, "unknown key", meant.map(|meant| format!("did you mean `{meant}`?")));
            }
        }
    }
    if command.is_none() {
        expected("a map with `commandArgument`", &tool.value, problems);
    }
    let name = tool.name.as_str().to_owned();
    command.map(|command_argument| ShellTool { name, command_argument, workdir_argument: workdir })
}
