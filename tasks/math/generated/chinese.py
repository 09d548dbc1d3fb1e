"""Templates in Chinese."""

from __future__ import annotations

from tasks.math.generated.template import Template

CHINESE = (
    Template(
        "bookshop",
        "zh",
        "书店有{shelves}个书架，每个书架上放着{books}本书。上午卖出{morning}本，下午卖出的本数是上午的{times}倍。"
        "书店里还剩多少本书？",
        {"shelves": (8, 20), "books": (30, 60), "morning": (15, 40), "times": (2, 4)},
        ("all = shelves * books", "afternoon = morning * times", "sold = afternoon + morning", "left = all - sold"),
    ),
    Template(
        "road",
        "zh",
        "修路队每天修路{daily}米，修了{days}天以后，还剩{left}米没有修。从这时起每天多修{more}米。"
        "修完整条路一共需要多少天？",
        {"daily": (30, 90, 5), "days": (4, 15), "more": (5, 30, 5), "rest": (4, 20)},
        ("faster = daily + more", "later = left / faster", "total = later + days"),
        given=("speed = daily + more", "left = speed * rest"),
    ),
    Template(
        "fruit",
        "zh",
        "{who}买了{apples}千克苹果，每千克{first}元，又买了{pears}千克梨，每千克{second}元。"
        "{who}付给店主{paid}元，应该找回多少元？",
        {"apples": (2, 8), "first": (4, 12, 0.5), "pears": (2, 6), "second": (3, 9, 0.5), "paid": (100, 200, 50)},
        ("one = apples * first", "two = pears * second", "cost = one + two", "change = paid - cost"),
        whole=False,
    ),
    Template(
        "workshop",
        "zh",
        "一个车间有{machines}台机器，每台机器每小时生产{rate}个零件，一天工作{hours}小时。"
        "一天生产的零件中有{bad}%不合格，合格的零件每{box}个装一箱。一天能装满多少箱？",
        {"machines": (4, 12), "rate": (20, 80, 10), "hours": (6, 10), "bad": (2, 12), "box": (10, 40, 2)},
        ("hourly = machines * rate", "all = hourly * hours", "faulty = all % bad", "good = all - faulty",
         "boxes = good / box"),
    ),
    Template(
        "pool",
        "zh",
        "一个长方体水池长{long}米，宽{wide}米，深{deep}米。水管每小时注水{rate}立方米，已经注了{hours}小时。"
        "还要多少小时才能注满水池？",
        {"long": (10, 30), "wide": (6, 15), "deep": (2, 4), "rate": (10, 40, 2), "hours": (2, 8)},
        ("ground = long * wide", "volume = ground * deep", "needed = volume / rate", "left = needed - hours"),
    ),
    Template(
        "income",
        "zh",
        "{who}每月收入{pay}元，其中{rent}%用来付房租，另外花{other_costs}元，剩下的都存起来。"
        "{months}个月以后一共存了多少元？",
        {"pay": (4000, 9000, 100), "rent": (15, 35, 5), "other_costs": (1500, 2500, 100), "months": (3, 18)},
        ("housing = pay % rent", "after = pay - housing", "saved = after - other_costs", "all = saved * months"),
    ),
)  # fmt: skip
