"""What people are told before they begin, as Markdown, for each kind of project; an organiser may write their own."""

from __future__ import annotations

from typing import Literal

from foveate.annotation._marked import gettext_noop as _
from foveate.annotation.kinds import Kind

_GROUNDING = _("""\
Somebody who cannot see took this photo and asked a question about it. Question and answer stand above the photo.
Show **where in the photo the answer can be seen**, in three steps.

### Step 1: is more than one question asked?

Choose *yes* if two different things are asked; the photo is then done. Choose *no* if the same is only asked twice,
in other words.

- *Which soup is this, and how long does it cook?* Yes: two questions.
- *Which soup is this? I would like to know what soup it is.* No: one question, asked twice.

### Step 2: is more than one region needed?

Choose *yes* if the answer lies in several places that do not touch; the photo is then done. Choose *no* if it is
one place, or several that touch each other, or none.

- *How many spoons are on the table?* — *three*, and they lie apart: yes.

  ![Three spoons on a table, apart from each other, each with an outline of its own.](example:spoons)
- *How many books are in the pile?* — *three*, one on the other: no.

  ![A pile of three books with one outline around all of them.](example:books)

### Step 3: draw around it

Draw **one outline** around all of what shows the answer, and nothing else.

- **Follow the edge closely.** Zoom in where it is fine; set more points where it bends.
- **Only the outer edge.** A hole, such as that of a ring or a cup's handle, is not cut out.
- **What stands in front** is left out where that is possible with one outline.
- **Ask what the answer is read from.** For *what does it say?* that is the text; for *what colour is the shirt?*
  all of the shirt that can be seen.

  ![What does it say? A jar on a table; the outline follows its label, not the jar.](example:jar)
- **The whole photo** shows it, as with a floor, a sky, a view: choose *the whole image*.

  ![Where was this taken? Hills, a lake and the sky; the outline is the edge of the photo.](example:view)
- **It cannot be drawn**, since it is not there, cut off, or the answer is wrong: choose *cannot draw*, and say why.

  ![What does it say? A can whose label is cut off by the edge of the photo. Nothing is drawn.](example:cut-off)
""")
_COLLECTION = _("""\
Three people make a sample: one asks, one draws, one checks. You do one of the three for each photo.

### Asking

Look for **one thing** in the photo that stands out, and write a question whose **only** answer is that thing.

- Good: *What do we use to cut paper?*, where one pair of scissors lies on the table.
- Not good: *What is on the table?*, where several things are. *Is there a cup?* Its answer is not a thing. *What is
  the red round thing at the left?* It needs no thinking: whoever reads it need not know what the thing is for.

If there is no such thing, say that there is nothing to ask about.

### Drawing

Read the question, find its answer, and draw a box **as tight as possible** around all of it that can be seen. If
there is no one answer, choose *cannot draw*, and say why.

### Checking

Read the question first, find the answer, and only then look at the box. *Right* means: there is exactly one answer,
and the box holds all of it and little else.
""")
_REANNOTATION_BOX = _("""\
Read the question, find **the one thing** in the photo that answers it, and draw a box around it.

- **As tight as possible**: each side touches the thing.
- **All of it** that can be seen; what is hidden behind something is not guessed.
- If the answer is all of the photo, choose *the whole image*.
- If there is no answer in the photo, or several, choose *cannot draw*, and say why.

Nobody else's drawing is shown to you, so that yours tells how alike people see it.
""")
_REANNOTATION_POLYGON = _("""\
Read the question and the answer, and draw **one outline** around what shows the answer.

- **Follow the edge closely**, and set more points where it bends.
- **Only the outer edge**: holes are not cut out.
- If all of the photo shows it, choose *the whole image*.
- If it is not there, cut off, or needs several places, choose *cannot draw*, and say why.

![What does it say? A jar on a table; the outline follows its label, not the jar.](example:jar)

Nobody else's drawing is shown to you, so that yours tells how alike people see it.
""")


def default_instructions(kind: Kind, shape: Literal["box", "polygon"] = "box") -> str:
    """Returns the instructions of a kind of project, as Markdown whose headings begin at the third level.

    Args:
        kind: Of the project.
        shape: What is drawn in a re-annotation.
    """
    if kind == "reannotation":
        return _REANNOTATION_BOX if shape == "box" else _REANNOTATION_POLYGON
    return _GROUNDING if kind == "grounding" else _COLLECTION
