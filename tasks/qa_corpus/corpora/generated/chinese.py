"""The Chinese lexicon of the generator."""

from __future__ import annotations

from tasks.qa_corpus.corpora.generated.lexicon import Field, Kind, Lexicon, Values

_CITIES = "宁波 苏州 青岛 厦门 长沙 洛阳 柳州 烟台 温州 绵阳 泉州 株洲 芜湖 潍坊 嘉兴 襄阳 镇江 台州 宜昌 邯郸"
_BRANDS = "恒远 金桥 华晨 瑞丰 启明 天河 国泰 安信 博达 新锐 鸿翔 盛元 正阳 东方 联创 宏图 远航 中和 百川 万里"
_TRADES = "纺织 铸造 塑料 物流 陶瓷 汽轮 造纸 仪表 食品 电缆"
_NAMES = "王建国 李秀兰 张伟明 陈晓燕 刘志强 赵丽华 黄国栋 周雅琴 吴海峰 孙文静"
_ROOMS = "北区会议室 水泵房 培训中心 码头办公楼 老铸造车间 检测中心"
_PEOPLE = Values(texts=tuple((name,) for name in _NAMES.split()))
_DATES = Values(
    texts=tuple(
        (f"{month}月{day}日", f"{month:02d}月{day:02d}日")
        for month, day in ((3, 7), (4, 19), (5, 4), (6, 23), (9, 11), (10, 28))
    )
)
_PLACES = Values(texts=tuple((place,) for place in _ROOMS.split()))
_YUAN = ("万元", "万元人民币", "人民币万元")
_PERCENT = ("%", "个百分点")

_CONTRACT = Kind(
    "采购合同",
    "contract",
    "{company}{year}年采购合同",
    "本合同由封面所列采购方与{company}就{year}年度供货订立。",
    (
        Field(
            "付款",
            "付款期限是多久？",
            "{company}在{year}年采购合同项下的发票，应于收到后{value}内付清。",
            "草稿中曾写为{value}，签署前已删除。",
            Values("15", "5", 18, "{n}天", ("天", "日", "个自然日")),
            "days",
        ),
        Field(
            "逾期交货",
            "每逾期一天的违约金占订单金额的比例是多少？",
            "{year}年度{company}每逾期交货一天，按订单金额的{value}支付违约金。",
            "双方未采用的行业范本规定为{value}。",
            Values("0.10", "0.05", 18, "{n}%", _PERCENT),
            "percent",
        ),
        Field(
            "质量保证",
            "质保期是多久？",
            "{company}对{year}年度交付货物的质保期为验收后{value}。",
            "已作废的框架协议为{value}。",
            Values("12", "3", 17, "{n}个月", ("个月", "月")),
            "months",
        ),
        Field(
            "价款",
            "合同总价是多少？",
            "{year}年度应付{company}的合同总价为{value}，不含增值税。",
            "首次报价为{value}，已被取代。",
            Values("12.50", "3.75", 60, "{n}万元", _YUAN),
            "yuan",
        ),
    ),
    numbered=True,
)

_MINUTES = Kind(
    "管理会议纪要",
    "minutes",
    "{company}{year}年管理会议纪要",
    "{company}{year}年管理会议记录，手写后录入。",
    (
        Field(
            "技术改造",
            "批准的技术改造预算是多少？",
            "会议决定：{company}{year}年技术改造预算为{value}。",
            "工会曾提出{value}的方案，未获通过。",
            Values("30.00", "4.50", 60, "{n}万元", _YUAN),
            "yuan",
        ),
        Field(
            "供应商审核",
            "供应商审核由谁负责？",
            "{company}{year}年供应商审核由{value}负责。",
            "{value}汇报了上一年度的审核情况，该工作已移交。",
            _PEOPLE,
            "person",
        ),
        Field(
            "审核报告",
            "审核报告应在几月几日前完成？",
            "{company}应于{value}前完成{year}年审核报告。",
            "原定的{value}已无法按期完成。",
            _DATES,
            "date",
        ),
        Field(
            "下次会议",
            "下次会议在哪里召开？",
            "{company}{year}年下次会议在{value}召开。",
            "平时使用的{value}正在维修。",
            _PLACES,
            "place",
        ),
    ),
)

_REPORT = Kind(
    "季度报表",
    "report",
    "{company}{year}年季度报表",
    "{company}{year}年各季度数据，计划数与实际数并列。",
    (
        Field(
            "产量",
            "第二季度的实际产量是多少？",
            "| {year}年二季度 | {company} | 实际产量 | {value} |",
            "| 二季度 | 上年计划 | 计划产量 | {value} |",
            Values("1240", "185", 70, "{n}吨", ("吨",)),
            "tonnes",
        ),
        Field(
            "废品",
            "第三季度的实际废品率是多少？",
            "| {year}年三季度 | {company} | 实际废品率 | {value} |",
            "| 三季度 | 上年计划 | 计划废品率 | {value} |",
            Values("1.20", "0.15", 40, "{n}%", _PERCENT[:1]),
            "percent",
        ),
        Field(
            "收入",
            "第四季度的实际收入是多少？",
            "| {year}年四季度 | {company} | 实际收入 | {value} |",
            "| 四季度 | 上年计划 | 计划收入 | {value} |",
            Values("86.50", "12.25", 70, "{n}万元", _YUAN),
            "yuan",
        ),
        Field(
            "人员",
            "年末员工人数是多少？",
            "| {year}年末 | {company} | 实际人数 | {value} |",
            "| 年末 | 上年计划 | 计划人数 | {value} |",
            Values("140", "9", 60, "{n}人", ("", "人", "名", "名员工")),
            "count",
        ),
    ),
)

_INSPECTION = Kind(
    "检验报告",
    "inspection",
    "{company}{year}年检验报告",
    "扫描表格。{year}年在{company}现场检验，手写批注未收录。",
    (
        Field(
            "壁厚",
            "实测壁厚是多少？",
            "{year}年在{company}实测壁厚：{value}。",
            "磨损前的图纸值：{value}。",
            Values("4.25", "0.35", 40, "{n}毫米", ("毫米", "mm")),
            "mm",
        ),
        Field(
            "压力试验",
            "压力试验保持的压力是多少？",
            "{year}年压力试验中，{company}的容器保持在{value}。",
            "安全阀的开启压力为{value}。",
            Values("0.85", "0.05", 40, "{n}兆帕", ("兆帕", "mpa")),
            "mpa",
        ),
        Field(
            "检验人员",
            "检验由谁完成？",
            "{company}{year}年的检验由{value}完成。",
            "门卫处的钥匙由{value}发放。",
            _PEOPLE,
            "person",
        ),
        Field(
            "下次检验",
            "下次检验应在多少个月后进行？",
            "{company}在{year}年检验后，应于{value}后再次检验。",
            "同一厂家的类似容器为{value}。",
            Values("6", "2", 22, "{n}个月", ("个月", "月", "")),
            "months",
        ),
    ),
)

CHINESE = Lexicon(
    names=(tuple(_CITIES.split()), tuple(_BRANDS.split()), tuple(_TRADES.split())),
    joint="",
    form="{name}有限公司",
    branch="第{n}分厂",
    question="在{company}{year}年的{kind}中，{ask}",
    kinds=(_CONTRACT, _MINUTES, _REPORT, _INSPECTION),
    filler=(
        (
            "范围",
            (
                "具体范围以附件清单中可以辨认的部分为准。",
                "原件上划掉的项目不计入。",
                "两份副本不一致时，以盖有圆章的一份为准。",
                "页边批注系事后添加，不具效力。",
            ),
        ),
        (
            "保密",
            (
                "除法律另有规定外，与会人员不得对外透露本文内容。",
                "副本只发给名单上的人员。",
                "电子副本不再需要时应当删除。",
                "图纸、样品和照片同样适用。",
            ),
        ),
        (
            "检查",
            (
                "到货时检查外观、数量和标签。",
                "发现隐蔽缺陷应尽快通知。",
                "留样存放在化验室旁的柜子里。",
                "校准记录与仪器一并保管。",
            ),
        ),
        (
            "运输",
            (
                "空托盘随下一车退回。",
                "绑带归承运人所有。",
                "只在西侧站台卸货，东侧站台冬季关闭。",
                "司机在门口登记，进入厂区须穿反光背心。",
            ),
        ),
        (
            "安全",
            (
                "动火作业须经值班主管批准。",
                "卸货期间也应保持疏散通道畅通。",
                "走廊急救箱缺少物品，已经补齐。",
                "来访人员在黄线之间行走。",
            ),
        ),
        (
            "其他",
            (
                "二楼的咖啡机需要更换。",
                "停车位问题再次推迟讨论。",
                "没有其他意见。",
                "往来函件请注明封面上的文件编号。",
            ),
        ),
    ),
    clause="第{n}条 {heading}",
    page="——第{n}页——（扫描件，原件不清）",
    confusions={
        "未": "末",
        "己": "已",
        "日": "曰",
        "人": "入",
        "千": "干",
        "品": "晶",
        "间": "问",
        "件": "仵",
        "土": "士",
    },
    gap="",
)
