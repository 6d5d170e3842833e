//! E12xx: project files.

super::family! { PROJECT:

E1201 "project file cannot be read" r#"
A project file is YAML. It is not, or a key stands in it twice.

    jobs:
      fifo: {kind: check, design: fifo}
      fifo: {kind: cdc, design: fifo}

Fix: correct the file at the place shown.
"#

E1202 "project file is not right" r#"
A project file names designs, jobs and suites. A key is missing, unknown, or has a value of
another kind than it should.

    jobs:
      fifo: {kind: check, desing: fifo}     # `design`

Fix: see docs/project.md, or let the editor help with `entail init --schema`.
"#

E1203 "project file speaks of what is not there" r#"
A job names a design that the project does not have, a suite's pattern fits no job, or a file
does not exist.

    suites:
      smoke: {jobs: [fifo-*]}               # and no job begins with `fifo-`

Fix: correct the name; paths are relative to the file they stand in.
"#

E1204 "project files include each other" r#"
A project file includes itself, directly or through others.

    include: [entail.yaml]                  # in entail.yaml

Fix: take one of the includes out.
"#
}
