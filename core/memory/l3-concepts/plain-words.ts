/**
 * Words that say nothing of a topic (M10): function words, and what every fact about software may
 * say (error, user, fix …). The first are dropped, the second are kept with little weight until the
 * memory itself shows that they belong to one concept.
 */

export const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `a an the and or but nor so if then than that this these those there here it its itself they them their he she his her we us our
  you your i my me one ones what which who whom whose when where why how all any both each few more most other others some such no
  not only own same too very can cannot could may might must shall should will would do does did done doing be been being am is are
  was were has have had having of in on at by for with about against between into through during before after above below to from
  up down out off over under again further once because as until while also even just still yet ever never always often sometimes
  every everybody everyone everything somebody someone something anybody anyone anything nobody nothing none either neither another
  much many lot lots less least first last next new old good bad better best worse well back away around across along per via within
  without upon onto like unlike since though although however therefore instead rather quite almost already soon later now today
  yesterday tomorrow make makes made making get gets got getting go goes going gone went come comes came take takes took taken give
  gives gave given put puts keep keeps kept let lets use uses used using need needs needed want wants see sees seen look looks looked
  say says said tell tells told know knows known think find found live lives lived stay stays stayed sit sits stand hold holds held
  turn turns turned set sets work works worked leave leaves left bring brings become becomes became seem seems decide decided agree
  agreed want try tries tried two three four five six seven eight nine ten half once twice third whole full single several thing
  things way ways kind sort part parts place places people person day days week weeks month months year years ago fully longer
  behind toward towards next near inside outside don t s re ve ll d m isn aren doesn didn won wasn wouldn true false yes ok vs etc e.g`
    .split(/\s+/)
    .concat(
      `그 이 저 것 거 수 등 때 때문 때문에 중 안 못 더 덜 잘 또 또는 및 그리고 그러나 하지만 그래서 따라서 즉 만약 아직 이미 항상 늘 자주
  가끔 모두 모든 다 전부 각 각각 매번 매우 아주 너무 조금 많이 약간 거의 먼저 나중 나중에 다음 이전 전에 뒤 뒤에 뒤로 앞 앞에 위 아래 옆
  옆에 속 밖 사이 동안 이후 이상 이하 미만 초과 경우 정도 만큼 대로 채 반드시 꼭 절대 절대로 별도 별도의 따로 직접 그대로 바로 즉시 곧 방금
  하나 둘 두 세 네 다섯 여섯 일곱 여덟 아홉 열 한 번 번째 번씩 개 건 장 명 분 초 시 일 월 년 주 원 회 차례 가지 쪽 누가 누구 무엇 무슨 어떤
  어디 언제 왜 어떻게 아무 아무도 아무것도 누구나 우리 저희 사람 사람들 분들 일 점 문제 현상 사고 하기로 했다 한다 하며 하고 해서 하면 하지
  하는 하던 한다고 했음 함 된다 됐다 되었다 되어 되지 되면 되는 있다 있었다 있는 있어 있게 있음 있었음 없다 없는 없어 없이 없었다 않는다 않고
  않게 않아 않기로 않도록 않았다 말고 말아야 두고 둔다 두지 쓴다 쓰고 쓰지 쓰는 쓰기로 써야 본다 보고 보여 준다 주고 주지 간다 가고 온다
  와서 왔다 나다 나서 났다 난다 나온다 나와 나왔다 넣고 넣는다 넣어 만든다 만들고 만들 바꾸고 바꾼다 고친다 고치고 고쳤다 고침 정했다 정함
  정한다 결정 결정함 결정했다 해야 야 한다는 위해 위한 통해 대해 대한 따라 관련 관한 의한 의해 에서만 새 새로 옛 같은 같이 다른 여러 큰 작은
  많은 좋은 나쁜 맨 오직 단지 혹은 혹시 만 뿐 처럼 듯 말 까닭 이유 식 방식 형식 하루 이틀 오늘 어제 내일 아침 밤 낮 지금 현재 다시 계속 서로
  함께 스스로 자체 대신 오히려 특히 물론 보통 대개 원래 처음 마지막 끝 도중 중간`.split(/\s+/),
    ),
);

/** By the names of their groups in the glossary. */
export const PLAIN_TERMS: ReadonlySet<string> = new Set(
  `error|exception|failure|bug|fix|warning|user|customer|file|folder|path|text|string|value|key|name|title|description|number|count|list|
  state|condition|rule|action|result|detail|example|change|create|generate|add|replace|move|rename|reset|select|read|write|open|close|
  start|stop|run|call|wait|check|show|hide|enable|disable|allow|deny|send|receive|load|missing|empty|broken|slow|fast|large|small|
  maximum|minimum|average|percent|ratio|unit|group|public|private|internal|external|local|remote|global|manual|automatic|temporary|
  permanent|unique|common|important|priority|urgent|daily|nightly|weekly|monthly|yearly|hourly|night|morning|server|client|app|page|
  screen|window|button|click|data|time|date|id|field|row|column|size|width|height|type|object|array|tree|feature|service|code|
  line|function|method|class|variable|module|component|request|response|api|service|project|team|device|browser|delete|update|save|
  edit|process|limit|default|condition|source code|entry|section|resource|handler|body|parameter|option|hour|version|environment|
  production|development|developer|library|framework|test|message|event|timeout|restart|graceful shutdown|startup|duplicate|root cause|
  input|store|record|table|view|level|company|feedback|required field|color|background|image|settings|config|link|url|document|copy|
  command|connection|cost|plan|point|order|return|exchange|ad|level|character|answer|question|room|weight|stream|memory|id|map|lead|
  card|address|standby|scope|product|share|follow|post|board|tag|comment|review|schema|query|host|port|domain|network|http header|lock|
  performance|permission request|android|ios|macos|windows|linux|chrome|safari|node|typescript|javascript|python|java|korean|english|
  language|night|mobile|desktop|keyboard|mouse|icon|menu|layout|form|focus|background|store|summary|import|class|history|cleanup|
  limit|member|admin|contract|organization|employee|calculation|tracking|priority|isolation|freeze|override|dispatch`
    .split('|')
    .map((term) => term.trim()),
);
