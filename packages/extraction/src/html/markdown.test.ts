import { expect, test } from 'vitest'
import { markdownBlocks } from './markdown.ts'

const texts = (markdown: string) =>
  markdownBlocks(markdown).map(
    (block) => ('header' in block ? `${block.header}\n` : '') + block.text,
  )

test.each<[string, string, string[]]>([
  [
    'names with underscores',
    'Set `A__B__C`, Default__Name, `__init__`, snake_case. **bold** __bold__ ~~old~~ *i* _i_',
    ['Set A__B__C, Default__Name, __init__, snake_case. bold bold ~~old~~ i i'],
  ],
  [
    'code spans with markup',
    'Use `**a**`, ``x`y``, `<b>` and `[a](b)`',
    ['Use **a**, x`y, <b> and [a](b)'],
  ],
  ['escapes and entities', '\\*a\\* 1\\. &amp; &euro; &#x41;', ['*a* 1. & € A']],
  [
    'links and images',
    '[a](http://x/y_(z) "t") ![b *c*](d.png) [e][r] [r] <https://f.example> [g]\n\n[r]: http://r',
    ['a b c e r https://f.example [g]'],
  ],
  [
    'headings',
    'A\n===\nB **b** #\n---\n### C `#` ###\n#no\n',
    ['A', 'B b #', 'C #', '#no'],
  ],
  [
    'code with fences in it, and indented code',
    '````\n```\n# a\n```\n````\n\n    # b\n\n~~~js\n__c__\n~~~',
    ['```\n# a\n```', '# b', '__c__'],
  ],
  ['tables', 'a | b\n--|--\n1 \\| 2 | `__x__`\n', ['a | b\n1 | 2 | __x__']],
  [
    'numbers of lists',
    '3. a\n4. b\n\n- c\n  - d\n\n1) e',
    ['3. a\n4. b', '- c\n  - d', '1. e'],
  ],
  [
    'HTML with Markdown in it',
    '<div align="center">\n\n**a**\n\n</div>\n\nb<br>c <!-- d -->',
    ['a', 'b c'],
  ],
  [
    'names in angle brackets',
    'Use <token> as <API_KEY>.\n\n<your-name>',
    ['Use <token> as <API_KEY>.', '<your-name>'],
  ],
  [
    'titles of components',
    '<Card title="Prices" icon="x">\ninner\n</Card>',
    ['Prices inner'],
  ],
  ['the title of front matter', '---\ntitle: "A: b"\ntags: [c]\n---\n\nd', ['A: b', 'd']],
  ['front matter in TOML', '+++\r\ntitle = "A"\r\n+++\r\nd', ['A', 'd']],
  ['a line at the beginning', '---\n\nText --- more\n\n---\n', ['Text --- more']],
])('reads %s', (_, markdown, expected) => expect(texts(markdown)).toEqual(expected))
