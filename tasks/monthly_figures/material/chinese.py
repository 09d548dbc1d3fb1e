"""The Chinese lexicon of the monthly figures."""

from __future__ import annotations

from decimal import Decimal

from tasks.monthly_figures.material.lexicon import Lexicon, Sheet, Unit

_CITIES = "南通 常州 无锡 扬州 徐州 绍兴 金华 衢州 赣州 九江 宜宾 泸州 岳阳 衡阳 荆州 保定"
_BRANDS = "德润 万和 长丰 嘉禾 信达 同盛 海川 广源 永泰 新力 华峰 三江 景程 佳业 荣昌 双木"
_TRADES = "轴承 锅炉 地毯 乳业 钻具 纤维 玻璃 五金 灯具 电机 水泵 种业 瓷砖 木业"
_PEOPLE = "郭志远 何晓梅 罗建军 宋丽萍 郑海涛 谢芳 唐明辉 韩雪 冯国强 邓玉兰"

CHINESE = Lexicon(
    names=(tuple(_CITIES.split()), tuple(_BRANDS.split()), tuple(_TRADES.split())),
    joint="",
    form="{name}有限公司",
    branch="第{n}分公司",
    months=tuple(f"{month}月" for month in range(1, 13)),
    quarters=("一", "二", "三", "四"),
    units=(
        Unit("万元", "{n}万元", Decimal(1)),
        Unit("元", "{n}元", Decimal(10_000)),
        Unit("千元", "{n}千元", Decimal(10)),
    ),
    ask='{company}{year}年{month}的成交额，单位{unit}，保留两位小数，没有则写"missing"（{file}）',
    title="{company}{year}年业务资料",
    states=(
        "{year}年{month}成交额为{amount}。",
        "我司{year}年{month}成交的合同合计{amount}。",
        "结算单显示，{year}年{month}成交{amount}。",
        "{year}年{month}已结清，成交{amount}。",
        "销售部登记的{year}年{month}成交额是{amount}。",
    ),
    first=(
        "{year}年{month}成交两笔，第一笔{amount}。",
        "{year}年{month}有两笔成交，老客户的一笔为{amount}。",
    ),
    second=(
        "{year}年{month}成交的另一笔为{amount}。",
        "除第一笔外，{year}年{month}同月成交的另一笔是{amount}。",
    ),
    corrects=(
        "更正：{year}年{month}成交额应为{amount}，不是{before}。",
        "此前所记{year}年{month}成交额{before}系笔误，以{amount}为准。",
    ),
    gone=(
        "{year}年{month}的结算单不在档案夹里，无人记得数额。",
        "{year}年{month}成交额一栏沾了茶渍，无法辨认。",
    ),
    decoys={
        "last": ("上年同期，即{last}年{month}，成交{amount}。", "旧档案：{last}年{month}成交额{amount}。"),
        "plan": ("{year}年{month}的计划数为{amount}。", "{year}年{month}预算：{amount}。"),
        "other": ("据说{other}在{year}年{month}成交{amount}。", "可比数据：{other}，{year}年{month}，{amount}。"),
        "paid": ("{year}年{month}到账货款{amount}。", "银行流水显示{year}年{month}回款{amount}。"),
        "quoted": ("{year}年{month}发出的报价合计{amount}，均未签约。", "{year}年{month}末仍在洽谈的有{amount}。"),
        "quarter": ("{year}年第{quarter}季度合计{amount}。", "{year}年{quarter}季度各月总计：{amount}。"),
        "running": ("{year}年1月至{month}累计{amount}。",),
    },
    caption="{company}成交情况，单位：{unit}。各列依次为月份、成交额、计划数、{last}年成交额。",
    row="{year}年{month}",
    torn="（缺损）",
    sheets=(
        Sheet("销售例会纪要", "地点：{room}。记录人：{person}。"),
        Sheet("电子邮件", "发件人：{person}\n收件人：财务\n日期：{year}年{month}{n}日\n主题：回复：回复：数字"),
        Sheet("存档便条", "{year}年{month}{n}日通话后由{person}记下。"),
        Sheet("粘贴的表格", "{person}于{year}年{month}{n}日粘贴，列已错位。"),
        Sheet("第{n}号通知", "致各部门，{person}，{year}年{month}。"),
        Sheet("来函扫描件", "原件存{room}，由{person}录入。"),
    ),
    people=tuple(_PEOPLE.split()),
    rooms=("二楼会议室", "附楼", "档案室", "食堂", "老传达室", "三号仓库"),
    filler=(
        "{person}{n}日前不在，钥匙交给{other_person}。",
        "{room}的暖气又坏了。",
        "从{room}借走梯子的同事请尽快归还。",
        "面包车上次保养后已行驶{n}00公里。",
        "{person}提醒大家表格须用黑色笔填写。",
        "因{person}提前离席，第{n}项议题延后。",
        "学徒通过了考核，大家鼓掌祝贺。",
        "纸张供应商改了名称，账户不变。",
        "如无必要请勿打印本邮件。",
        "{person}问{room}能否重新粉刷，未作答复。",
        "商会来访{n}人，留下吃了午饭。",
        "有客户抱怨送货太晚，已送果篮致歉。",
        "电梯{n}日检修，请走楼梯。",
        "另见{person}放在{room}的档案夹。",
        "本卷由手写稿录入，个别字可能有误。",
        "{person}与{other_person}对座位安排意见不一。",
        "新电话表共{n}条，其中一条有误。",
        "假期里{room}的花需要有人浇水。",
        "会议同意下次会议再定此事。",
        "{person}感谢帮忙搬桌子的同事。",
        "{other_person}的包裹还在门口。",
        "附件第{n}页在原件中上下颠倒。",
        "消防演习用了{n}分钟，时间太长。",
        "在{room}捡到订书机一个。",
        "保洁合同照旧执行。",
        "{person}清点了邮票，还剩{n}枚。",
        "已告知审计人员档案室潮湿。",
        "停车位一事没有再谈。",
        "手机发送，错漏请谅。",
        "本段后半部分字迹已褪。",
    ),
    footer="——{company} 第{n}页，共{count}页——",
    confusions={
        "未": "末",
        "己": "已",
        "日": "曰",
        "人": "入",
        "千": "干",
        "间": "问",
        "件": "仵",
        "土": "士",
        "贷": "货",
    },
    gap="",
)
