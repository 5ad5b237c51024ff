"""The words and forms by which `questions` tells what a question wants, as patterns over its plain words."""

from __future__ import annotations

import re

_COLOURS = (
    "red|green|blue|yellow|orange|purple|pink|brown|black|white|gr[ae]y|beige|tan|navy|turquoise|teal|maroon|violet|gold|"
    "silver|cream|khaki|burgundy|lavender|olive"
)

# What stands on it tells it from others of its sort: tins, coffee, films, money, screens.
_LABELLED = (
    "product|package|packet|packaging|pack|box|tin|jar|bottle|carton|container|tube|pouch|envelope|brand|label|"
    "soup|coffee|tea|soda|pop|beer|wine|drink|beverage|juice|milk|chip|cereal|spice|seasoning|sauce|dinner|meal|entree|"
    "candy|gum|cookie|cracker|chocolate|snack|bar|yogurt|pudding|oatmeal|bean|vegetable|corn|meat|pizza|mix|rice|pasta|"
    "noodle|butter|creamer|cheese|sausage|k cup|pod|vitamin|medicine|medication|pill|tablet|ointment|eye drop|shampoo|"
    "conditioner|lotion|soap|body wash|deodorant|cologne|perfume|cleaner|detergent|spray|toothpaste|cd|dvd|movie|film|"
    "book|magazine|album|song|disc|disk|video game|record|card|bill|currency|money|denomination|captcha|code|mail|letter|"
    "page|receipt|document|form|menu|screen|display|program|software|website|thermostat|decaf|decaffeinated|caffeine|diet|"
    "food|cake mix|bread|salt|sugar|vinegar|pepper|tomato|tuna|chicken|beef|broth|cocoa|kool aid|coke|pepsi|sprite|bleach|"
    "softener|fragrance|scent|flavou?r|remedy|version|edition|size|model"
)

# Parts and packings that hold what is asked for: "what is in this can?"
_HOLDERS = (
    "box|can|jar|package|packet|pack|container|bag|carton|tin|tube|label|screen|display|bottle|card|envelope|jug|pouch|"
    "packaging|monitor|page|case|sign|paper"
)

# What can only be read.
_WRITTEN = (
    r"says|say|said to|saying|written|writing|captions?|labels?|labell?ed|titles?|titled|expir\w*|captchas?|ingredients?|"
    r"instructions?|bar ?code|headline|denomination|logo|manufacturer|nutrition\w*|calories|servings?|sodium|carbs|dosage|"
    r"address|website|temperature|author|publisher|printed|cooking directions|directions (on|for|to|say)|percentage|"
    r"tracking|contents|lettering|numbers?|digits?|voltage|wattage|distance in|settings?|buttons?|readout|reading|blood pressure"
)

_THIS = "(this|that|these|those|it|they|here|there)"
_BE = "(is|are|was|were|s)"
_SORT = "(kind|type|sort|brand|flavou?r|variety|make|style|breed|scent|size|model|version)s?"
_VERB = (
    "(is|are|was|were|does|do|did|has|have|had|will|would|should|am|can|could|isn|doesn|aren|don|didn|might|may)"
)
_PHOTO = "(picture|photo|image|photograph|pic|shot|scene|view)"

NOT_ABOUT_PHOTO = re.compile(
    r"\b(how are you|who are you|are you (human|real|there|a (robot|person|machine|human))|what( is)? your name|"
    r"(joke|story) please|a joke|sing (me )?a|where (do|are) you( live| from)?$|how old are you|do you (love|like) me|"
    r"(can|could|do|did|if) you( actually| even)? (hear|understand)( me| my| this|$)|hear (this|my) question|"
    r"tomorrow|next (week|month|year|monday|wednesday)|forecast|president of|capital of|meaning of life|"
    r"who (won|invented|discovered)|how (late|long) (are|do) you (going|work)|how many web ?workers|work all night|"
    r"answering questions|what day is (it|today)|what today( date)?|what is today|how (does|do) (this|the) app|"
    r"(is|does) (this|the) app|will you marry|square root|\d (plus|minus|times|divided))\b"
)
COLOUR = re.compile(r"\b(colou?r|shade of|hue)(s|ed)?\b")
NAMED_COLOUR = re.compile(
    rf"^{_VERB} .*\b({_COLOURS})( or .*)?$|\b({_COLOURS})\b.* or (\w+ )?({_COLOURS})\b"
    rf"|^which .* (is|are) ({_COLOURS})\b"
)
# Amounts stand on the package; things are counted.
COUNT = re.compile(
    r"\bhow many\b(?!( (calories?|carbs|grams?|ounces|oz|minutes|hours|seconds|miles|degrees|percent|servings|cups of|"
    r"watts|milli\w+|mg|volts|pounds|points|liters|steps (i|did)|times))|.*\b(calories|serving|cook))"
    r"|\bnumber of (?!this|the|my|calories|minutes|miles|hours)\w+s\b|\bcount the\b"
)
READ = re.compile(
    rf"\b({_WRITTEN})\b"
    r"|\b(the|this|that|any|what|which|serial|phone|room|page) (text|words?|letters?|price|date|message|channel)\b"
    r"|\bread\b(?! a (book|story))|\b(what|which) (brand|flavou?r|scent|fragrance)\b|\b(brand|flavou?r|scent) (name|of)\b"
    r"|\b(name|model|price|value|cost|amount) of (this|the|these|my|that|it)\b"
    r"(?! (thing|item|object|person|people|one|structure|place|tool))"
    r"|\b(the|its) (brand|price|cost|value|amount|model|make)\b|\bhow much\b|\bwhat time\b|\bwhat is the time\b"
    r"|\b(best (before|by)|sell by|use by)\b|\bwho makes (this|it|these)\b|\bset (to|at|on|for|too)\b"
    rf"|\b(what|whats|what is|what are|is|are|whatever|what was)( \w+)? (in|on|inside|inside of) "
    rf"(this|the|that|my|these) (\w+ ){{0,2}}?({_HOLDERS})(s|es)?\b"
    r"|\bhow (long|do i|should i|to) .*\b(cook|microwave|prepare|heat|bake|make)\b"
)
IDENTITY = re.compile(
    rf"\b(what|which)( {_SORT}( of)?)?( \w+){{0,3}}? ({_LABELLED})(s|es|ies)?( \w+)? {_BE} (this|that|these|those|it)$"
    rf"|\b(what|which)( {_SORT}( of)?)?( \w+){{0,3}}? ({_LABELLED})(s|es|ies)?( \w+)? (this|that|these|those|it) {_BE}$"
    rf"|\b(what|which) {_SORT} of (\w+ ){{0,2}}?({_LABELLED})(s|es|ies)?( is| are)? (this|these|that|those|in)\b"
    rf"|\bwhat(s| is| are)? (this|that|these|those|the) (\w+ )?({_LABELLED}|item|can)(s|es|ies)?( {_BE})?( called)?$"
    rf"|^{_VERB} (this|that|these|those|it)( (a|an|the|my|some|any|real|of))*( \w+){{0,2}}? ({_LABELLED})(s|es|ies)?\b"
    rf"|\bidentify (this|the|that|these) (\w+ )?({_LABELLED}|item|can)s?\b"
)
SCENE = re.compile(
    r"\b(where am i|where are we|(what|which) (room|place)|weather|sunny|cloudy|raining|scenery|landscape|"
    r"(my|the|our) surroundings|around me|light level|light or dark|dark or light|daytime|what(s| is)? (happening|going on)|"
    r"(is it|how) (very |completely |totally |still )?(dark|bright|light)( (in|out|enough|outside)|$)|morning yet|"
    r"(rain|storm|gr[ae]y|dark|white|any|the|of) clouds?)\b"
    r"|^(is|are|was|were|can|turn|do|did|if|my) .*\blights? (\w+ )?(on|off)\b|\blights? on or off\b"
    r"|\b(see|is|what|s|like|description|describe|look|day)( \w+){0,4}? outside( (the|my|this|of)( \w+)? window)?$"
    rf"|\b(sky|room|kitchen|yard|street|area|house|place|{_PHOTO})\b( \w+){{0,4}}? (look|looks|appear|s) like\b"
    r"|\bsky (look|looks|like|appear|appeared|today|in this)\b|\b(is|see|describe) the sky\b"
    r"|^(what|whats|describe|how|can|do|is) .*\b(out (the|this|my) window|(the|my) view)\b"
    r"|\b(what|whatever|anything)( all)?( can| do| did| could)? (you|u|i|we) (guys )?(all )?(see|seeing)( here| there| now)?"
    r"( (in|on|from|with|through|out) .*)?$"
    rf"|\b(describe|description of|explain|identify)( to me)?( what( s| is)? in| what( s| is)? on)? (this|the|my) "
    rf"({_PHOTO}|room|surroundings|area)\b|^describe( it| this| that| what you see)?$"
    rf"|\bwhat(s| is| are|)( (all|shown|visible|seen))? (in|on) (this|the|that|my) ({_PHOTO}|room|yard)\b"
)
WHAT_IS_THIS = re.compile(
    r"\bwhat(s| is| are| was| were|) (this|that|these|those|it|they)\b|\bwhat (this|that|it|they) (is|are|was|might be)\b"
    rf"|\bwho( {_BE})? (this|that|he|she|it)\b|\bwhat exactly is\b"
    r"|\bwhat (am i|i|did i|do i|are we)( \w+)? (looking|look|holding|hold|seeing|have|has|touching|pointing|wearing|take|took)\b"
    r"|\bwhat(s| is|) (in front of|behind|next to|beside) me\b|\bwhat(s| is|) (in|on) my (hands?|lap|desk|table|plate)\b"
    r"|\b(describe|identify|explain)\b|^whats?$|\bwhat(s| is|) (the )?(object|item|thing)( called| here| in .*)?$"
    r"|\b(what|which) (object|item|thing)s? (is|are) (this|that|these|those|it)\b"
    r"|\bwhat does .*\b(look|looks) like\b|\bwhat( \w+){1,4} looks? like\b|\bpicture of\b"
)
KIND_OF_THIS = re.compile(
    rf"\b(what|which)( {_SORT}( of)?)?( \w+){{1,3}} {_BE} (this|that|these|those|it)\b"
    r"|\bwhat (is|are) (this|that|these|those) \w+$"
)
SORT_OF_THIS = re.compile(rf"\b(what|which) {_SORT} (of )?(\w+ ){{1,3}}{_BE} (this|that|these|those|it)\b")
YES_NO = re.compile(rf"^{_VERB}\b|^(if|whether)\b|^any\b")
ATTRIBUTE = re.compile(
    r"\bhow\b|^(why|when|whose)\b|\bcount\b|^(what|which) (size|shape|pattern|design|material|orientation|way|direction|gender)\b"
)
# What one does with a thing, rather than a wish to hear or count it: "What do we use to put a label on a box?"
FOR_USE = re.compile(
    r"\b(use|used|useful|using) (to|for|in|as|when|by)\b|\bcan be (used|put|worn|seen|placed)\b"
    r"|\b(what|which|where|who|how)( \w+){0,3}? (can|do|does|could|should|would) (we|people|someone|one) "
    r"(?!have|see|tell|set|know)\w+"
    r"|^(what|which)( \w+){0,2}? (can|could|do|does) (i|you) (?!have|see|tell|set|know|press|think|suggest|do|say|need|describe|read|"
    r"make|call|hear|mean)\w+|^(where|who)\b.*\b(can|do|could|should) (i|we|you|people)\b"
)
DIGITS = re.compile(
    r"\b(numbers?|price|cost|dates?|expir\w*|temperature|how much|best (before|by)|denomination|phone number)\b"
)
TALLEST = re.compile(r"\b(brand|title|titled|name|headline|logo|what (book|movie|magazine|product|cd|dvd))\b")
