"""The words and forms by which `questions` tells what a question wants, as patterns over its plain words."""

from __future__ import annotations

import re


def _forms(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))


def _either(words: str) -> str:
    """Returns a pattern for any of some words; an underscore stands for a space."""
    return "|".join(words.split()).replace("_", " ")


COLOURS = _either(
    """
    red green blue yellow orange purple pink brown black white gr[ae]y beige tan navy turquoise teal maroon violet gold
    silver cream khaki burgundy lavender olive
    """
)
# What stands on it tells it from others of its sort: tins, coffee, films, money, screens.
_LABELLED = _either(
    """
    product package packet packaging pack box tin jar bottle carton container tube pouch envelope brand label soup
    coffee tea soda pop beer wine drink beverage juice milk chip cereal spice seasoning sauce dinner meal entree candy
    gum cookie cracker chocolate snack bar yogurt pudding oatmeal bean vegetable corn meat pizza mix rice pasta noodle
    butter creamer cheese sausage k_cup pod vitamin medicine medication pill tablet ointment eye_drop shampoo
    conditioner lotion soap body_wash deodorant cologne perfume cleaner detergent spray toothpaste cd dvd movie film
    book magazine album song disc disk video_game record card bill currency money denomination captcha code mail letter
    page receipt document form menu screen display program software website thermostat decaf decaffeinated caffeine
    diet food cake_mix bread salt sugar vinegar pepper tomato tuna chicken beef broth cocoa kool_aid coke pepsi sprite
    bleach softener fragrance scent flavou?r remedy version edition size model
    """
)
# What holds something or shows it: "what is in this can?"
_HOLDERS = _either(
    """
    box can jar package packet pack container bag carton tin tube label screen display bottle card envelope jug pouch
    packaging monitor page case sign paper
    """
)
# What can only be read.
_WRITTEN = _either(
    r"""
    says say said_to saying written writing captions? labels? labell?ed titles? titled expir\w* captchas? ingredients?
    instructions? bar_?code headline denomination logo manufacturer nutrition\w* calories servings? sodium carbs dosage
    address website temperature author publisher printed cooking_directions directions_(on|for|to|say) percentage
    tracking contents lettering numbers? digits? voltage wattage distance_in settings? buttons? readout reading
    blood_pressure
    """
)
# An amount of these stands on the package; other things are counted.
_AMOUNTS = _either(
    r"""
    calories? carbs grams? ounces oz minutes hours seconds miles degrees percent servings cups_of watts milli\w+ mg
    volts pounds points liters steps_(i|did) times
    """
)
_THIS = "(this|that|these|those|it)"
_BE = "(is|are|was|were|s)"
_SORT = "(kind|type|sort|brand|flavou?r|variety|make|style|breed|scent|size|model|version)s?"
_VERB = "(is|are|was|were|does|do|did|has|have|had|will|would|should|am|can|could|isn|doesn|aren|don|didn|might|may)"
# What is at hand, and may be in the photo.
_HERE = "(this|that|these|those|it|its|here|my|our|the|his|her|he|she|they|them|him|one)"
_PHOTO = "(picture|photo|image|photograph|pic|shot|scene|view)"
_WHAT = r"\bwhat(s| is| are|)"
_MANY = "(s|es|ies)?"

NOT_ABOUT_PHOTO = _forms(
    r"\b(how are you|who are you|how old are you|what( is)? your name|where (do|are) you( live| from)?$)\b",
    r"\bare you (human|real|there|a (robot|person|machine|human))\b",
    r"\b(do you (like|love|want|speak|sleep)|do you (love|like) me|you know how to|will you marry)\b",
    r"\b((joke|story) please|a joke|sing (me )?a)\b",
    r"\b(can|could|do|did|if) you( actually| even)? (hear|understand)( me| my| this|$)",
    r"\bhear (this|my) question\b",
    r"\b(how (late|long) (are|do) you (going|work)|how many web ?workers|work all night)\b",
    r"\b(answering questions|who( is| s)? answering|how (does|do) (this|the) app|(is|does) (this|the) app)\b",
    r"\b(tomorrow|next (week|month|year|monday|wednesday)|forecast)\b",
    r"\b(what day is (it|today)|what today( date)?|what is today)\b",
    r"\b(president of|capital of|meaning of life|who (won|invented|discovered)|square root)\b",
    r"\d (plus|minus|times|divided by) \d",
    # What is to come; what "will happen if I press this" is asked of the thing in the photo.
    rf"\b(who|(what|which) (team|party|side|player|candidate))( {_BE})? (will|would|going to|gonna|should) "
    r"(be (the )?|get )?(win|winner|lose|loser|become|elected|next)\b",
    rf"^what( {_BE})? (will|would|going to|gonna) happen\b(?!.* (this|that|these|it|here|if|when)\b)",
    r"^(will|is|are|am)( (?!this|that|it)\w+){1,4}? (going to |gonna )?"
    r"(win|lose|get (married|rich|divorced)|be (rich|famous|elected|president))( \w+){0,3}$",
    r"^(will (it|there be)|(is it|it( s| is)) (going to|gonna)) (rain|snow|storm|thunder)\b",
    # What somebody thinks, of what no photo shows.
    r"\b(vote for|do you believe in|is there a god$|does god)\b",
    rf"^what( {_BE})? your (opinions?|thoughts) (of|on|about) (?!{_HERE}\b)",
    rf"^what do you think (about|of) (?!{_HERE}\b)",
    r"^who( s| is| was) the (\w+est|most \w+) \w+( \w+)? (ever|alive|of all time|in (the world|history))$",
    r"^(does|do|did|will) (he|she|they|anybody|anyone|somebody|god|my (wife|husband|girlfriend|boyfriend)) love me\b",
    r"^should i (vote|get married|invest|quit|divorce)\b",
    # What one knows, or looks up; the largest animal on Earth may be in the photo.
    r"^how many( \w+){1,5} (in the (world|universe|solar system)|on earth|in history)$",
    rf"\b(prime minister|chancellor|currency|official language) of (?!{_HERE}\b)\w+",
    r"\bpopulation of (?!this|that|it)\w+",
    r"^who( s| is| was) (the )?(king|queen|pope|ceo|governor|mayor) of \w+",
    r"^who( s| is| was) (the )?(\w+ )?president$",
    rf"^who (wrote|painted|composed|founded) (?!{_HERE}\b)",
    rf"^(when|where|what year) (was|were) (?!{_HERE}\b)(\w+ ){{1,4}}?(born|founded|invented|discovered|assassinated)\b",
    r"^how (far|high|tall|deep|old|big) is (the )?(moon|sun|earth|mount \w+|universe|world)\b",
)
COLOUR = _forms(r"\b(colou?r|shade of|hue)(s|ed)?\b")
NAMED_COLOUR = _forms(
    rf"^{_VERB} .*\b({COLOURS})( or .*)?$",
    rf"\b({COLOURS})\b.* or (\w+ )?({COLOURS})\b",
    rf"^which .* (is|are) ({COLOURS})\b",
)
COUNT = _forms(
    rf"\bhow many\b(?!( ({_AMOUNTS}))|.*\b(calories|serving|cook))",
    r"\bnumber of (?!this|the|my|calories|minutes|miles|hours)\w+s\b",
    r"\bcount the\b",
)
READ = _forms(
    rf"\b({_WRITTEN})\b",
    r"\b(the|this|that|any|what|which|serial|phone|room|page) (text|words?|letters?|price|date|message|channel)\b",
    r"\bread\b(?! a (book|story))",
    r"\b(what|which) (brand|flavou?r|scent|fragrance)\b",
    r"\b(brand|flavou?r|scent) (name|of)\b",
    r"\b(name|model|price|value|cost|amount) of (this|the|these|my|that|it)\b"
    r"(?! (thing|item|object|person|people|one|structure|place|tool))",
    r"\b(the|its) (brand|price|cost|value|amount|model|make)\b",
    r"\b(how much|what time(?! of (day|year))|what is the time|who makes (this|it|these)|set (to|at|on|for|too))\b",
    r"\b(best (before|by)|sell by|use by|due date)\b",
    r"\b(what|whats|what is|what was) (the|this|that|its|my) \w+ date\b",
    r"\b(what|whats|what is|what are|which) (the |these )?names?( is| are)? (on|printed|at the (top|bottom))\b",
    r"\b(what|whats|what is|what are|is|are|whatever|what was)( \w+)? (in|on|inside|inside of) "
    rf"(this|the|that|my|these) (\w+ ){{0,2}}?({_HOLDERS})(s|es)?\b",
    r"\bhow (long|do i|should i|to) .*\b(cook|microwave|prepare|heat|bake|make)\b",
)
# Which one of its sort this is.
IDENTITY = _forms(
    rf"\b(what|which)( {_SORT}( of)?)?( \w+){{0,3}}? ({_LABELLED}){_MANY}( \w+)? {_BE} {_THIS}$",
    rf"\b(what|which)( {_SORT}( of)?)?( \w+){{0,3}}? ({_LABELLED}){_MANY}( \w+)? {_THIS} {_BE}$",
    rf"\b(what|which) {_SORT} of (\w+ ){{0,2}}?({_LABELLED}){_MANY}( is| are)? (this|these|that|those|in)\b",
    rf"\bwhat(s| is| are)? (this|that|these|those|the) (\w+ )?({_LABELLED}|item|can){_MANY}( {_BE})?( called)?$",
    rf"^{_VERB} {_THIS}( (a|an|the|my|some|any|real|of))*( \w+){{0,2}}? ({_LABELLED}){_MANY}\b",
    rf"\bidentify (this|the|that|these) (\w+ )?({_LABELLED}|item|can)s?\b",
)
# Of what can be seen as well as read, what it is; which sort of it, is read.
GROUP_OF_THIS = _forms(rf"^(what|which) (food|vegetable)s? ({_BE} {_THIS}|{_THIS} {_BE})$")
SORT_OF_THIS = _forms(rf"\b(what|which) {_SORT} (of )?(\w+ ){{1,3}}{_BE} {_THIS}\b")
SCENE = _forms(
    r"\b(where am i|where i am|where are we|(my|the|our) surroundings|around me)\b",
    r"\b(what|which) (((kind|type|sort) of )?(room|place)|time of (day|year))\b",
    r"\b(weather|sunny|cloudy|raining|scenery|landscape|daytime|morning yet)\b",
    r"\bis it (\w+ )?night( ?time)?( (now|outside|here|in here))?$",
    r"\b(day or night|night or day)( (now|outside|here|in here))?$",
    r"\b(rain|storm|gr[ae]y|dark|white|any|the|of) clouds?\b",
    r"\bwhat(s| is)? (happening|going on)(?! on)\b",
    r"\b(light level|lights? on or off)\b",
    rf"\b(it|this|everything|here|room|{_PHOTO})( is| more| mostly| too| very| still)* (light|bright|dark) or "
    r"(light|bright|dark)\b",
    r"\b(is it|how) (very |completely |totally |still )?(dark|bright|light)( (in|out|enough|outside)\b|$)",
    rf"\bhow (dark|bright|light) is (it|everything|(the|this|my) (room|{_PHOTO}))\b",
    r"^(is|are|was|were|can|turn|do|did|if|my) .*\blights? (\w+ )?(on|off)\b",
    r"\b(see|is|what|s|like|description|describe|look|day)( \w+){0,4}? outside( (the|my|this|of)( \w+)? window)?$",
    rf"\b(sky|room|kitchen|yard|backyard|garden|street|area|house|place|{_PHOTO})\b( \w+){{0,4}}? "
    r"(looks?|appear|s) like\b",
    r"\bsky (look|looks|like|appear|appeared|today|in this)\b",
    rf"\b(is|see|describe) the sky\b(?! ({COLOURS})\b)",
    r"^(what|whats|describe|how|can|do|is) .*\b(out (the|this|my) window|(the|my) view)\b",
    r"\b(what|whatever|anything)( all| exactly| precisely)?( can| do| did| could| are)? (you|u|i|we) "
    r"(able to )?(guys )?(all )?(see|seeing)( here| there| now)?( (in|on|from|with|through|out) .*)?$",
    r"\b(describe|description of|explain|identify)( to me)?( what( s| is)? (in|on))? (this|the|my) "
    rf"({_PHOTO}|room|surroundings|area|place)\b",
    r"^describe( it| this| that| what you see)?$",
    rf"\bwhat (does|do) (this|the|my) {_PHOTO}s? show\b",
    rf"\bvisible (in|on) (this|the|my) ({_PHOTO}|sky)",
    rf"{_WHAT}( (all|shown|visible|seen|inside))? ?(in|on|inside) (this|the|that|my) ({_PHOTO}|room|yard)\b",
)
WHAT_IS_THIS = _forms(
    r"\bwhat(s| is| are| was| were|) (this|that|these|those|it|they)\b",
    r"\bwhat (this|that|it|they) (is|are|was|might be)\b",
    rf"\bwho( {_BE})? (this|that|he|she|it)\b",
    r"\bwhat exactly is\b",
    r"\bwhat (am i|i|did i|do i|are we)( \w+)? "
    r"(looking|look|holding|hold|seeing|have|has|touching|pointing|wearing|take|took)\b",
    r"\bwhat(s| is|) (in front of|behind|next to|beside) me\b",
    r"\bwhat(s| is|) (in|on) my (hands?|lap|desk|table|plate)\b",
    r"\b(describe|identify|explain)\b",
    r"^whats?$",
    r"\bwhat(s| is|) (the )?(object|item|thing)( called| here| in .*)?$",
    rf"\b(what|which) (object|item|thing)s? (is|are) {_THIS}\b",
    r"\bwhat does .*\b(look|looks) like\b",
    r"\bwhat (this|that|these|it|they|the|my|a|an)( \w+){0,4} looks? like\b",
    r"\bpicture of\b",
)
KIND_OF_THIS = _forms(
    rf"\b(what|which)( {_SORT}( of)?)?( \w+){{1,3}} {_BE} {_THIS}\b",
    r"\bwhat (is|are) (this|that|these|those) \w+$",
)
YES_NO = _forms(rf"^{_VERB}\b", r"^(if|whether|any)\b")
ATTRIBUTE = _forms(
    r"\b(how|count)\b",
    r"^(why|when|whose)\b",
    r"^(what|which) (size|shape|pattern|design|material|orientation|way|direction|gender)\b",
)
# What one does with a thing, rather than a wish to hear or count it: "What do we use to put a label on a box?"
FOR_USE = _forms(
    r"\b(use|used|useful|using) (to|for|in|as|when|by)\b",
    r"\bcan be (used|put|worn|seen|placed)\b",
    r"\b(what|which|where|who|how)( \w+){0,3}? (can|do|does|could|should|would) (we|people|someone|one) "
    r"(?!have|see|tell|set|know)\w+",
    r"^(what|which)(?! (way|direction))( \w+){0,2}? (can|could|do|does) (i|you(?! read)) "
    r"(?!have|see|tell|set|know|press|think|suggest|do|say|need|describe|make|call|hear|mean)\w+",
    r"^(where|who)\b.*\b(can|do|could|should) (i|we|you|people)\b",
)
