"""The seven families of questions, and what each is made of."""

from __future__ import annotations

from collections.abc import Callable

from foveate.scenes._building import Builder, Built, Said
from foveate.scenes.draws import Draws
from foveate.scenes.graph import ATTRIBUTES, OPPOSITE, RELATIONS, VALUES, Attribute, Relation
from foveate.scenes.recipe import Family


def _kinds() -> tuple[tuple[Family, str], ...]:
    found: list[tuple[Family, str]] = []
    for family in ("zero_hop", "one_hop", "two_hop"):
        found += [(family, attribute) for attribute in ATTRIBUTES]
    found += [("same_relate", f"{ask} by {same}") for ask in ATTRIBUTES for same in ATTRIBUTES if ask != same]
    found += [("exist", "all"), ("exist", "related"), ("count", "all"), ("count", "related")]
    return (*found, *(("compare", attribute) for attribute in ATTRIBUTES))


# No answer of `count` is greater: few scenes have more that fit a description.
MOST_COUNTED = 4
# The share of counts beside a solid that count all that is there.
_THINGS = 0.4
# Each family with its kinds; their place here is `question_family_index` of the files.
FAMILIES = _kinds()


def goal(family: Family, draws: Draws) -> tuple[str, str]:
    """Returns a kind of a family's questions, and the answer to look for; each as likely as the others."""
    kind = draws.pick([kind for one, kind in FAMILIES if one == family])
    if family in {"exist", "compare"}:
        return kind, draws.pick(("yes", "no"))
    if family == "count":
        return kind, str(draws.whole(0, MOST_COUNTED))
    return kind, draws.pick(VALUES[attribute_of(kind)])


def attribute_of(kind: str) -> Attribute:
    """Returns the attribute that a kind of questions asks."""
    return next(one for one in ATTRIBUTES if one == kind.partition(" ")[0])


def _one_with(b: Builder, attribute: Attribute, value: str) -> int | None:
    """Returns a solid that has a value, or None."""
    having = sorted(b.fitting({attribute: value}, b.graph.everything))
    return b.draws.pick(having) if having else None


def zero_hop(b: Builder, kind: str, wanted: str) -> Built | None:
    """What color is the large metal thing?"""
    attribute = attribute_of(kind)
    solid = _one_with(b, attribute, wanted)
    said = None if solid is None else b.naming(solid, b.graph.everything, [attribute])
    if not said:
        return None
    b.add(f"query_{attribute}", b.unique(b.scene(), said))
    return Built(kind, b.program(), (said,))


def one_hop(b: Builder, kind: str, wanted: str) -> Built | None:
    """What color is the small thing left of the cube?"""
    attribute = attribute_of(kind)
    solid = _one_with(b, attribute, wanted)
    found = None if solid is None else _way_to(b, solid, attribute)
    if solid is None or found is None:
        return None
    start, relation, said = found
    named = b.naming(start, b.graph.everything)
    if not named:
        return None
    beside = b.add("relate", b.unique(b.scene(), named), value=relation)
    b.add(f"query_{attribute}", b.unique(beside, said))
    return Built(kind, b.program(), (named, said), (relation,))


def two_hop(b: Builder, kind: str, wanted: str) -> Built | None:
    """What color is the thing behind the sphere that is left of the cube?"""
    attribute = attribute_of(kind)
    solid = _one_with(b, attribute, wanted)
    second = None if solid is None else _way_to(b, solid, attribute)
    if solid is None or second is None:
        return None
    between, relation, said = second
    first = _way_to(b, between, None)
    if first is None or first[0] == solid:
        return None
    start, earlier, named_between = first
    named = b.naming(start, b.graph.everything)
    if not named:
        return None
    beside = b.add("relate", b.unique(b.scene(), named), value=earlier)
    again = b.add("relate", b.unique(beside, named_between), value=relation)
    b.add(f"query_{attribute}", b.unique(again, said))
    return Built(kind, b.program(), (named, named_between, said), (earlier, relation))


def same_relate(b: Builder, kind: str, wanted: str) -> Built | None:
    """What color is the other thing of the same shape as the red one?"""
    attribute, same = attribute_of(kind), attribute_of(kind.rpartition(" ")[2])
    solid = _one_with(b, attribute, wanted)
    alike = [] if solid is None else sorted(b.fitting({same: b.graph.attributes[solid][same]}, b.graph.everything))
    others = [one for one in alike if one != solid]
    if solid is None or not others:
        return None
    start = b.draws.pick(others)
    named = b.naming(start, b.graph.everything, [same])
    said = b.naming(solid, [one for one in alike if one != start], [attribute, same])
    if not named or said is None:
        return None
    b.add(f"query_{attribute}", b.unique(b.add(f"same_{same}", b.unique(b.scene(), named)), said))
    return Built(kind, b.program(), (named, said))


def exist(b: Builder, kind: str, wanted: str) -> Built | None:
    """Is there a small cube (left of the sphere)?"""
    solids = range(len(b.graph.attributes))
    said = b.some(b.draws.pick(solids))
    if kind == "all":
        if wanted == "no":
            said = _changed(b, said)
        b.add("exist", b.filtered(b.scene(), said))
        return Built(kind, b.program(), (said,))
    start, relation = b.draws.pick(solids), b.draws.pick(RELATIONS)
    named = b.naming(start, b.graph.everything)
    here, there = (b.fitting(said, b.graph.relationships[way][start]) for way in (relation, OPPOSITE[relation]))
    # What is looked for is on one side only, so that the relation decides.
    if not named or bool(here) == bool(there):
        return None
    b.add("exist", b.filtered(b.add("relate", b.unique(b.scene(), named), value=relation), said))
    return Built(kind, b.program(), (named, said), (relation,), official_rule=False)


def count(b: Builder, kind: str, wanted: str) -> Built | None:
    """How many cubes are there (behind the sphere)?"""
    solids = range(len(b.graph.attributes))
    said = b.some(b.draws.pick(solids))
    if kind == "all":
        if wanted == "0":
            said = _changed(b, said)
        b.add("count", b.filtered(b.scene(), said))
        return Built(kind, b.program(), (said,))
    start, relation = b.draws.pick(solids), b.draws.pick(RELATIONS)
    named = b.naming(start, b.graph.everything)
    if not named:
        return None
    if b.draws.uniform(0, 1) < _THINGS:
        said = {}
    # The relation must leave out more than the solid itself that it starts from.
    if len(b.fitting(said, b.graph.everything - {start})) == int(wanted):
        return None
    b.add("count", b.filtered(b.add("relate", b.unique(b.scene(), named), value=relation), said))
    return Built(kind, b.program(), (named, said), (relation,))


def compare(b: Builder, kind: str, wanted: str) -> Built | None:
    """Is the cube of the same color as the small sphere?"""
    attribute = attribute_of(kind)
    values = [one[attribute] for one in b.graph.attributes]
    # Asked only where yes and no could both be right, or no would be usual for colours.
    if len(set(values)) in {1, len(values)}:
        return None
    first, second = b.draws.shuffled(range(len(values)))[:2]
    one, other = (b.naming(solid, b.graph.everything, [attribute]) for solid in (first, second))
    if not one or not other:
        return None
    left = b.add(f"query_{attribute}", b.unique(b.scene(), one))
    right = b.add(f"query_{attribute}", b.unique(b.scene(), other))
    b.add(f"equal_{attribute}", left, right)
    return Built(kind, b.program(), (one, other))


MAKERS: dict[Family, Callable[[Builder, str, str], Built | None]] = {
    "zero_hop": zero_hop,
    "one_hop": one_hop,
    "two_hop": two_hop,
    "same_relate": same_relate,
    "exist": exist,
    "count": count,
    "compare": compare,
}


def _way_to(b: Builder, solid: int, attribute: Attribute | None) -> tuple[int, Relation, Said] | None:
    """Returns a solid, a relation and a description that lead to a solid, or None.

    Args:
        b: Whose scene it is.
        solid: Where it leads.
        attribute: What must not be said of it.
    """
    start = b.draws.pick([n for n in range(len(b.graph.attributes)) if n != solid])
    ways: list[Relation] = [way for way in RELATIONS if solid in b.graph.relationships[way][start]]
    relation = b.draws.pick(ways)
    said = b.naming(solid, b.graph.relationships[relation][start], [attribute] if attribute else [])
    return None if said is None else (start, relation, said)


def _changed(b: Builder, said: Said) -> Said:
    """Returns a description with one value changed: nearly right."""
    name = b.draws.pick(list(said))
    other = b.draws.pick([value for value in VALUES[name] if value != said[name]])
    return {one: other if one == name else value for one, value in said.items()}
