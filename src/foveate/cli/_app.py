"""The commands put together. Everything heavy is imported inside the commands, so that `--help` is instant."""

from __future__ import annotations

from typing import Annotated

import typer

from foveate.cli import (
    agreement,
    analyze,
    annotate,
    ask,
    attention,
    audit,
    backup,
    challenge,
    compare,
    controls,
    curate,
    dataset,
    demo,
    explain,
    export,
    features,
    ground,
    people,
    plugin_lists,
    release,
    report,
    score,
    screening,
    serve,
    train,
    transfer,
    weights,
)

EXIT_CODES = (
    "Exit codes: 0 done (also when the answer is that there is no region), 1 a fault of Foveate or a method, "
    "2 wrong usage, 3 bad input, 4 something needed is not here, 5 output cannot be written, 130 interrupted."
)

app = typer.Typer(
    name="foveate",
    help="Ask a photo a question and see where the answer is; ground, score and compare on data sets.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command("ask")(ask.ask)
app.command("ground")(ground.ground)
app.command("score")(score.score)
app.command("compare")(compare.compare)
app.command("explain")(explain.explain)
app.command("attention")(attention.attention)
app.command("controls")(controls.controls)
app.command("train")(train.train)
app.command("transfer")(transfer.transfer)
app.command("report")(report.report)
app.command("analyze")(analyze.analyze)
app.command("agreement")(agreement.agreement)
app.command("audit")(audit.audit)
app.command("curate")(curate.curate)
app.command("export")(export.export)
app.command("features")(features.features)
app.command("demo")(demo.demo)
app.command("serve")(serve.serve)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("grounders")(plugin_lists.grounders)
app.command("metrics")(plugin_lists.metrics)
app.command("aggregators")(plugin_lists.aggregators)
app.add_typer(annotate.app, name="annotate")
app.add_typer(challenge.app, name="challenge")
app.add_typer(dataset.app, name="dataset")
app.add_typer(people.app, name="people")
app.add_typer(release.app, name="release")
app.add_typer(screening.app, name="screening")
app.add_typer(weights.app, name="weights")


@app.command("version")
def version() -> None:
    """Print the version."""
    from importlib.metadata import version as installed

    typer.echo(f"foveate {installed('foveate')}")


def _print_version(asked: bool) -> None:
    if asked:
        version()
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Ask a photo a question and see where the answer is; ground and score data sets."""
