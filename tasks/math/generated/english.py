"""Templates in English."""

from __future__ import annotations

from tasks.math.generated.template import Template

ENGLISH = (
    Template(
        "orchard",
        "en",
        "{who} owns an orchard with {rows} rows of {trees} apple trees. In autumn every tree gives {crates} crates of "
        "apples. {spoilt} crates spoil in the barn, and the others go to the market, {load} crates on each trip. How "
        "many trips does {who} make?",
        {"rows": (4, 12), "trees": (5, 15), "crates": (2, 6), "spoilt": (6, 40), "load": (4, 12)},
        ("all = rows * trees", "picked = all * crates", "good = picked - spoilt", "trips = good / load"),
    ),
    Template(
        "bakery",
        "en",
        "A bakery makes {trays} trays of {rolls} rolls every morning. It keeps {kept} rolls for its own café and sells "
        "all others at ${price} apiece. How many dollars do the rolls bring in over {days} days?",
        {"trays": (5, 14), "rolls": (12, 30), "kept": (10, 40), "price": (0.25, 1.75, 0.25), "days": (3, 12)},
        ("baked = trays * rolls", "sold = baked - kept", "daily = sold * price", "all = daily * days"),
        whole=False,
    ),
    Template(
        "savings",
        "en",
        "{who} earns ${wage} an hour and works {hours} hours a week. Every week ${rent} goes to rent and ${food} to "
        "food; whatever remains is saved. After how many weeks can {who} buy a boat for ${boat}?",
        {"wage": (14, 30), "hours": (20, 40), "rent": (120, 220, 5), "food": (40, 90, 5), "weeks": (5, 20)},
        ("earned = wage * hours", "after = earned - rent", "saved = after - food", "time = boat / saved"),
        given=("pay = wage * hours", "rest = pay - rent", "spare = rest - food", "boat = spare * weeks"),
    ),
    Template(
        "tank",
        "en",
        "A tank for {full} litres of rain holds {start} litres. A pump adds {pump} litres a minute, but a leak loses "
        "{leak} litres a minute. On the way the pump stops for {pause} minutes, in which the leak is closed too. After "
        "how many minutes is the tank full?",
        {"start": (50, 400, 10), "pump": (12, 40), "leak": (2, 10), "minutes": (10, 60), "pause": (3, 15)},
        ("missing = full - start", "gain = pump - leak", "filling = missing / gain", "time = filling + pause"),
        given=("net = pump - leak", "more = net * minutes", "full = start + more"),
    ),
    Template(
        "novel",
        "en",
        "A novel has {pages} pages. {who} reads {first} pages on Monday and {daily} pages on each of the {days} days "
        "after it. {who} reads what is left on Sunday, at {speed} pages an hour. How many hours does {who} read on "
        "Sunday?",
        {"pages": (300, 700, 10), "first": (20, 60, 5), "daily": (25, 60, 5), "days": (3, 5), "speed": (20, 50, 5)},
        ("later = daily * days", "read = later + first", "left = pages - read", "hours = left / speed"),
    ),
    Template(
        "bus",
        "en",
        "A bus leaves the depot with {start} passengers. At each of the next {stops} stops {up} people get on and "
        "{off} get off. At the market a third of those on board get off. How many passengers stay on the bus?",
        {"start": (8, 30), "stops": (3, 8), "up": (5, 12), "off": (1, 4)},
        ("change = up - off", "joined = change * stops", "board = joined + start", "third = board / 3",
         "left = board - third"),
    ),
    Template(
        "sale",
        "en",
        "A coat costs ${price}. In a sale it is {off} percent cheaper, and with a member's card another ${card} come "
        "off every coat. {who} has such a card and buys {count} coats. How many dollars does {who} pay?",
        {"price": (80, 300, 10), "off": (10, 40, 5), "card": (5, 20), "count": (2, 5)},
        ("cut = price % off", "sale = price - cut", "each = sale - card", "paid = each * count"),
        whole=False,
    ),
    Template(
        "ages",
        "en",
        "{who} is {age} years old, and {other} is {times} times as old. How old will the two be together in {years} "
        "years?",
        {"age": (6, 18), "times": (2, 4), "years": (3, 15)},
        ("older = age * times", "now = older + age", "passed = years * 2", "then = now + passed"),
    ),
    Template(
        "garden",
        "en",
        "A rectangular garden is {long} metres long and {wide} metres wide. Along its whole edge a post stands every "
        "{gap} metres, and a post costs ${cost}. {who} has ${has} for the posts. How many dollars are missing?",
        {"long": (18, 60), "wide": (10, 40), "gap": (2, 5), "cost": (4, 15), "has": (50, 150, 5)},
        ("half = long + wide", "edge = half * 2", "posts = edge / gap", "price = posts * cost", "lack = price - has"),
    ),
    Template(
        "journey",
        "en",
        "{who} drives {first} hours at {fast} kilometres an hour and then {second} hours at {slow} kilometres an hour. "
        "The car uses {use} litres of petrol for every 100 kilometres, and a litre costs ${price}. How many dollars of "
        "petrol does the journey take?",
        {"first": (2, 5), "fast": (80, 120, 10), "second": (2, 4), "slow": (40, 70, 10), "use": (5, 9),
         "price": (1.25, 2.0, 0.25)},
        ("highway = first * fast", "road = second * slow", "way = highway + road", "litres = way % use",
         "cost = litres * price"),
        whole=False,
    ),
    Template(
        "honey",
        "en",
        "{who} keeps {hives} hives, and each gives {kilos} kilograms of honey. {who} gives {gift} kilograms to the "
        "neighbours and fills the others into jars of {jar} grams. How many jars does {who} fill?",
        {"hives": (4, 15), "kilos": (8, 25), "gift": (5, 30), "jar": (250, 500, 250)},
        ("all = hives * kilos", "kept = all - gift", "grams = kept * 1000", "jars = grams / jar"),
    ),
    Template(
        "theatre",
        "en",
        "A theatre has {rows} rows of {seats} seats. Tonight {empty} seats stay empty. {kids} of the people who came "
        "are children, who pay ${small}; everybody else pays ${full}. How many dollars does the theatre take in?",
        {"rows": (10, 20), "seats": (12, 25), "empty": (10, 60), "kids": (20, 60), "small": (4, 9), "full": (12, 24)},
        ("all = rows * seats", "came = all - empty", "adults = came - kids", "most = adults * full",
         "rest = kids * small", "total = most + rest"),
    ),
    Template(
        "printer",
        "en",
        "{who} prints {copies} copies of a booklet with {pages} pages on a printer that does {speed} pages a minute. "
        "Twice the paper jams, which costs {jam} minutes each time. After how many minutes is everything printed?",
        {"copies": (10, 60), "pages": (8, 40), "speed": (10, 30), "jam": (3, 9)},
        ("all = copies * pages", "running = all / speed", "lost = jam * 2", "total = running + lost"),
    ),
    Template(
        "marbles",
        "en",
        "{other} has {few} marbles, and {who} has {times} times as many. Then {who} gives {gift} marbles to each of "
        "{friends} friends. How many marbles do {who} and {other} have together now?",
        {"few": (12, 40), "times": (3, 6), "gift": (4, 12), "friends": (2, 6)},
        ("many = few * times", "given = gift * friends", "left = many - given", "both = left + few"),
    ),
    Template(
        "bolts",
        "en",
        "A machine makes {rate} bolts an hour and runs {hours} hours a day. Within {days} days {bad} percent of its "
        "bolts turn out faulty. The good ones are packed {box} to a box. How many boxes do they fill?",
        {"rate": (40, 200, 10), "hours": (5, 12), "days": (3, 10), "bad": (2, 15), "box": (20, 60, 10)},
        ("daily = rate * hours", "all = daily * days", "faulty = all % bad", "good = all - faulty",
         "boxes = good / box"),
    ),
    Template(
        "outing",
        "en",
        "{pupils} pupils and {adults} adults go to a museum in buses of {seats} seats, all of them full. A bus costs "
        "${bus}, and the museum takes ${entry} a person. How many dollars does the outing cost in all?",
        {"pupils": (60, 180), "adults": (6, 20), "seats": (20, 50), "bus": (150, 300, 10), "entry": (3, 9)},
        ("people = pupils + adults", "buses = people / seats", "rides = buses * bus", "entries = people * entry",
         "total = rides + entries"),
    ),
    Template(
        "loan",
        "en",
        "{who} borrows ${loan} from {other} and promises {rate} percent on top. {who} pays ${start} at once and the "
        "rest in {months} equal parts. How many dollars is one part?",
        {"loan": (400, 2400, 100), "rate": (4, 15), "start": (50, 200, 10), "months": (4, 12)},
        ("extra = loan % rate", "owed = loan + extra", "rest = owed - start", "part = rest / months"),
        whole=False,
    ),
    Template(
        "paint",
        "en",
        "A hall has {walls} walls, each {wide} metres wide and {high} metres high. Windows and doors take "
        "{open} square metres of them. The walls get {coats} coats of paint, and a tin is enough for {tin} square "
        "metres. How many tins are needed?",
        {"walls": (4, 6), "wide": (5, 14), "high": (3, 5), "open": (10, 40), "coats": (2, 3), "tin": (6, 20)},
        ("wall = wide * high", "all = wall * walls", "bare = all - open", "painted = bare * coats",
         "tins = painted / tin"),
    ),
    Template(
        "dairy",
        "en",
        "A farm has {cows} cows, and each gives {litres} litres of milk a day. The calves drink {calves} litres of it "
        "every day. The farm sells the others for ${price} a litre. How many dollars does it earn with milk in a week?",
        {"cows": (10, 40), "litres": (12, 28), "calves": (20, 80), "price": (0.5, 1.5, 0.25)},
        ("milk = cows * litres", "sold = milk - calves", "daily = sold * price", "weekly = daily * 7"),
        whole=False,
    ),
    Template(
        "tower",
        "en",
        "A tower has {floors} floors with {steps} steps from each floor to the next. {who} walks from the lowest floor "
        "to the highest {times} times and takes the lift down each time. {who} climbs {speed} steps a minute. How many "
        "minutes does {who} climb?",
        {"floors": (6, 25), "steps": (14, 24), "times": (2, 6), "speed": (30, 60, 5)},
        ("flights = floors - 1", "once = flights * steps", "all = once * times", "minutes = all / speed"),
    ),
    Template(
        "library",
        "en",
        "A library lends {monday} books on Monday and {more} more than that on Tuesday. On Wednesday it lends "
        "{times} times as many as on Tuesday. How many books does it lend on the three days?",
        {"monday": (40, 150), "more": (10, 60), "times": (2, 4)},
        ("tuesday = monday + more", "wednesday = tuesday * times", "two = tuesday + monday", "all = two + wednesday"),
    ),
    Template(
        "candles",
        "en",
        "{who} melts {kilos} kilograms of wax, bought for ${wax}, into candles of {grams} grams. {broken} candles "
        "break, and {who} sells the others at ${price} each. How many dollars does {who} gain?",
        {"kilos": (3, 12), "wax": (20, 60), "grams": (100, 250, 50), "broken": (2, 9), "price": (3, 9)},
        ("all = kilos * 1000", "candles = all / grams", "sold = candles - broken", "income = sold * price",
         "gain = income - wax"),
    ),
    Template(
        "phone",
        "en",
        "A phone plan costs ${base} a month and includes {free} minutes; every further minute costs {cents} cents. In "
        "a month {who} talks {calls} times for {each} minutes. How many dollars does {who} pay for that month?",
        {"base": (10, 30), "free": (60, 200, 10), "cents": (5, 25), "calls": (20, 60), "each": (5, 12)},
        ("talked = calls * each", "over = talked - free", "cost = over * cents", "extra = cost / 100",
         "bill = extra + base"),
        whole=False,
    ),
    Template(
        "rope",
        "en",
        "From a rope of {metres} metres {who} cuts {pieces} pieces of {length} centimetres each. {who} cuts the rest "
        "into {parts} equal parts. How many centimetres long is one of these parts?",
        {"metres": (8, 30), "pieces": (4, 15), "length": (30, 90, 5), "parts": (2, 8)},
        ("all = metres * 100", "cut = pieces * length", "rest = all - cut", "part = rest / parts"),
    ),
)  # fmt: skip
