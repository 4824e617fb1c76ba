/// Something that a wrapper changes for the command it runs, beside starting it.
///
/// A rule that judges the inner command by its words alone misses these; each is a reason not to let it allow on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter)]
pub enum Influence {
    /// It runs the command in another working directory, or below another root, so that relative paths mean other files.
    Directory,
    /// It adds arguments that the text does not show: input lines, or the files it finds.
    Arguments,
    /// It runs the command as another user, or with other privileges.
    Privilege,
    /// It runs the command elsewhere: on another host, or in a container or namespace with other files.
    Place,
}
