"""The instructions that a project begins with, in Markdown; its organiser may write others."""

from __future__ import annotations

from foveate.annotation.kinds import Kind, ProjectSettings

_OUTLINE = """\
## How to draw

- Trace the **outer boundary** of the region tightly, in one line. Holes are not drawn: a ring is drawn as a disc.
- Leave out what stands in front of it, where that is possible with one outline.
- If the question asks for a property (a colour, what is written), draw where that is seen: the lettering, all of the
  cloth, not the whole bottle or person.
- If all of the photo is needed to answer, choose **Whole image**.
- If you cannot draw it, choose **Cannot draw**, and say why. That is a good answer too.

<details>
<summary>Examples</summary>

| question | answer | draw |
|---|---|---|
| What does the label say? | milk | the word on the label, not the carton |
| What colour is the shirt? | blue | all of the shirt that is seen, not the face above it |
| Is it sunny outside? | yes | the sky in the window |
| What is this? | my living room | the whole image |
| What is the price? | 3.99 | *cannot draw*, if the price is cut off |

</details>
"""

_GROUNDING = f"""\
You see a photo, a question about it, and the answer that most people gave. Show **where in the photo the answer is**.

## Three steps

1. **Is more than one question asked?** "What is this, and what colour is it?" are two: say *yes*, and the task is done.
   A question that only says the same again is one.
2. **Is more than one region needed?** Say *yes* if the answer is in several places that do not touch ("two cups", at
   both ends of a table), and the task is done. Say *no* for one place, or several that touch.
3. **Draw the region**, choose the whole image, or say that you cannot draw it.

{_OUTLINE}"""

_BOXES = """\
Photos, questions and boxes are made by three different people.

## Ask

Pick a photo with something interesting in it. Write a question whose answer is **one object** of the photo, **and only
one**. Do not name it; ask for what it is for, or what it does.

- Good: "What keeps the rain off?" (the one umbrella) · "Where can the child sit?" (the one high chair)
- Bad: "Where is the umbrella?" (names it) · "What has wheels?" (three things do) · "What colour is it?" (no object)

If the photo has nothing like that, say so, and go on with another one.

## Draw the box

Read the question, find the object, and draw a box around **all of it that is seen**, as tightly as you can. If there is
no such object, or several, choose **Cannot draw** and say why.

## Verify

Look at the question and the box. Is the object in the box the one right answer, and does the box fit? Else say what is
wrong: the box, or the question.
"""

_BOX_AGAIN = """\
You see a photo and a question. Draw a box around the object that answers it: **all of it that is seen**, as tightly as
you can, and nothing else.

- If several objects belong to the answer, draw one box around all of them.
- If the answer is all of the photo, choose **Whole image**.
- If there is no answer in the photo, choose **Cannot draw**, and say why.

Draw what you see: there is no answer here to agree with.
"""

_POLYGON_AGAIN = f"""\
You see a photo and a question. Draw the region that answers it.

{_OUTLINE}
Draw what you see: there is no answer here to agree with.
"""


def default_instructions(kind: Kind, settings: ProjectSettings) -> str:
    """Returns the instructions of a kind of project, in Markdown without a first heading."""
    if kind == "grounding":
        return _GROUNDING
    if kind == "box_collection":
        return _BOXES
    return _BOX_AGAIN if settings.shape == "box" else _POLYGON_AGAIN
