import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { Block } from '../blocks.ts'
import { docxBlocks } from './docx.ts'
import { pptxBlocks } from './pptx.ts'

const address = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
const relations = (...entries: [id: string, type: string, target: string][]) =>
  `<Relationships>${entries
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="${address}${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`
const zipped = (parts: Record<string, string>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, text]) => [name, strToU8(text)]),
    ),
  )

const namespaces =
  `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${address.slice(0, -1)}" ` +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:x9="http://example.com/x9"'
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const paragraph = (content: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`

/** Writes headings as `#`, and table headers as lines. */
const shown = (blocks: Block[]) =>
  blocks.map((block) =>
    block.kind === 'heading'
      ? `${'#'.repeat(block.level)} ${block.text}`.trim()
      : ('header' in block && block.header ? `${block.header}\n` : '') + block.text,
  )

async function docx(body: string, parts: Record<string, string> = {}): Promise<string[]> {
  const bytes = zipped({
    '_rels/.rels': relations(['r1', 'officeDocument', 'word/document2.xml']),
    'word/document2.xml': `<w:document ${namespaces}><w:body>${body}</w:body></w:document>`,
    ...parts,
  })
  return shown(await docxBlocks(bytes))
}

const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const box = (text: string) =>
  `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><w:txbxContent>${paragraph(run(text))}` +
  `</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${paragraph(run(text))}` +
  '</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>'

const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(text))}</w:tc>`
const formField = (content: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${content}</w:ffData></w:fldChar></w:r>${field('end')}`

const term = (text: string) => `<m:r><w:rPr><w:i/></w:rPr><m:t>${text}</m:t></m:r>`
const fraction = (above: string, below: string) =>
  `<m:f><m:fPr><m:ctrlPr><w:rPr/></m:ctrlPr></m:fPr><m:num>${above}</m:num><m:den>${below}</m:den></m:f>`
const power = (base: string, exponent: string) =>
  `<m:sSup><m:e>${base}</m:e><m:sup>${term(exponent)}</m:sup></m:sSup>`

test.each<[string, string, string[]]>([
  [
    'raised numbers apart from the number before',
    paragraph(run('10') + run('6', '<w:vertAlign w:val="superscript"/>') + run(' m')),
    ['10⁶ m'],
  ],
  [
    'raised and lowered numbers in several runs',
    paragraph(
      run('10') +
        run('-', '<w:vertAlign w:val="superscript"/>') +
        run('6', '<w:vertAlign w:val="superscript"/>') +
        run(' H') +
        run('2', '<w:vertAlign w:val="subscript"/>') +
        run('O', '<w:vertAlign w:val="baseline"/>'),
    ),
    ['10⁻⁶ H₂O'],
  ],
  [
    'struck text between tildes',
    paragraph(
      run('99', '<w:strike/>') +
        run(' €', '<w:dstrike w:val="1"/>') +
        run(' 79 €', '<w:strike w:val="0"/>'),
    ) +
      `<w:tbl><w:tr>${cell('A')}<w:tc>${paragraph(run('9', '<w:strike/>') + run('8'))}</w:tc></w:tr></w:tbl>`,
    ['~~99 €~~ 79 €', 'A | ~~9~~8'],
  ],
  [
    'merged cells in each row and below their first column',
    `<w:tbl><w:tr>${cell('Region', '<w:gridSpan w:val="2"/>')}${cell('Phone')}</w:tr>` +
      `<w:tr>${cell('North', '<w:vMerge w:val="restart"/>')}${cell('A')}${cell('1')}</w:tr>` +
      `<w:tr>${cell('', '<w:vMerge/>')}${cell('B')}${cell('2')}</w:tr></w:tbl>`,
    ['Region |  | Phone\nNorth | A | 1\nNorth | B | 2'],
  ],
  [
    'no deleted rows and cells',
    `<w:tbl><w:tr>${cell('A')}</w:tr><w:tr><w:trPr><w:del/></w:trPr>${cell('Old')}</w:tr>` +
      `<w:tr><w:trPr><w:ins/></w:trPr>${cell('New')}${cell('Gone', '<w:cellDel/>')}</w:tr></w:tbl>`,
    ['A\nNew'],
  ],
  [
    'fields of old forms',
    paragraph(
      formField('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>') +
        run(' Vegan ') +
        formField('<w:checkBox><w:default w:val="0"/></w:checkBox>') +
        run(' Fish ') +
        formField(
          '<w:ddList><w:result w:val="1"/><w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/></w:ddList>',
        ),
    ),
    ['☑ Vegan ☐ Fish Blue'],
  ],
  [
    'a text box once, after its paragraph',
    paragraph(run('Before.') + box('Line 1') + run('After.')),
    ['Before.After.', 'Line 1'],
  ],
  [
    'a text box in a table',
    `<w:tbl><w:tr><w:tc>${paragraph(run('A') + box('B'))}</w:tc><w:tc>${paragraph(run('C'))}</w:tc></w:tr></w:tbl>`,
    ['A B | C'],
  ],
  [
    'the fallback of an unknown choice',
    paragraph(
      `<mc:AlternateContent><mc:Choice Requires="x9">${run('no')}</mc:Choice><mc:Choice Requires="wps">${run('one')}</mc:Choice><mc:Fallback>${run('no')}</mc:Fallback></mc:AlternateContent>` +
        `<mc:AlternateContent><mc:Choice Requires="x9">${run('no')}</mc:Choice>` +
        `<mc:Fallback>${run(' two')}</mc:Fallback></mc:AlternateContent>`,
    ),
    ['one two'],
  ],
  [
    'characters that are elements',
    paragraph(
      '<w:r><w:t>A</w:t><w:noBreakHyphen/><w:t>17</w:t><w:softHyphen/><w:t>B</w:t><w:tab/><w:t>x</w:t><w:br/><w:t>5</w:t>' +
        '<w:sym w:font="Symbol" w:char="F0B0"/><w:sym w:font="Wingdings" w:char="F0FE"/>' +
        '<w:sym w:font="Arial" w:char="20AC"/></w:r>',
    ),
    ['A-17B x\n5°☑€'],
  ],
  [
    'insertions, but no deletions',
    paragraph(
      `<w:ins>${run('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>` +
        `<w:moveFrom>${run('gone')}</w:moveFrom><w:moveTo>${run(' here')}</w:moveTo>`,
    ),
    ['new here'],
  ],
  [
    'a paragraph whose end is deleted as one',
    paragraph(run('one '), '<w:rPr><w:del/></w:rPr>') + paragraph(run('two')),
    ['one two'],
  ],
  [
    'the current style, not the one before a change',
    paragraph(
      run('Text'),
      '<w:pPrChange><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:pPrChange>',
    ),
    ['Text'],
  ],
  [
    'results of fields, not their codes',
    paragraph(
      `${field('begin')}<w:r><w:instrText>IF </w:instrText></w:r>${field('begin')}${field('separate')}${run('x')}${field('end')}${field('separate')}${run('yes')}${field('end')}`,
    ),
    ['yes'],
  ],
  [
    'a document with a field that never ends',
    paragraph(field('begin') + run('all')) + paragraph(run('text')),
    ['all', 'text'],
  ],
  [
    'content controls, but no prompts',
    `<w:sdt><w:sdtPr/><w:sdtContent>${paragraph(run('filled'))}</w:sdtContent></w:sdt>` +
      `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${paragraph(run('Click here'))}</w:sdtContent></w:sdt>`,
    ['filled'],
  ],
  [
    'smart tags and links, but no hidden text',
    paragraph(
      `<w:smartTag>${run('in')}</w:smartTag><w:hyperlink>${run(' link')}</w:hyperlink>` +
        run('secret', '<w:vanish/>') +
        run(' shown', '<w:vanish w:val="0"/>'),
    ),
    ['in link shown'],
  ],
  [
    'readings behind their characters',
    paragraph(
      `<w:r><w:ruby><w:rt>${run('かん')}</w:rt><w:rubyBase>${run('漢')}</w:rubyBase></w:ruby></w:r><w:r><w:ruby><w:rt>${run('じ')}</w:rt><w:rubyBase>${run('字')}</w:rubyBase></w:ruby></w:r>${run('です')}`,
    ),
    ['漢字(かんじ)です'],
  ],
  ...(
    [
      [
        '(a+c)/b x^2',
        `${fraction(`${term('a')}${term('+')}${term('c')}`, term('b'))}${power(term('x'), '2')}`,
      ],
      ['1 1/2', term('1') + fraction(term('1'), term('2'))],
      ['2^(n+1)', power(term('2'), 'n+1')],
      ['√(x+1)', `<m:rad><m:radPr/><m:deg/><m:e>${term('x')}${term('+1')}</m:e></m:rad>`],
      ['27^(1/3)', `<m:rad><m:deg>${term('3')}</m:deg><m:e>${term('27')}</m:e></m:rad>`],
      [
        '∑_(i=1)^n i',
        `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${term('i=1')}</m:sub><m:sup>${term('n')}</m:sup><m:e>${term('i')}</m:e></m:nary>`,
      ],
      [
        '[a]',
        `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${term('a')}</m:e></m:d>`,
      ],
      [
        'x_1+H_2O',
        `<m:sSub><m:e>${term('x')}</m:e><m:sub>${term('1')}</m:sub></m:sSub>${term('+')}<m:sSub><m:e>${term('H')}</m:e><m:sub>${term('2')}</m:sub></m:sSub>${term('O')}`,
      ],
    ] as const
  ).map(([text, formula]): [string, string, string[]] => [
    `the formula ${text}`,
    paragraph(
      `${run('y = ')}<m:oMathPara><m:oMath>${formula}</m:oMath></m:oMathPara>${run('.')}`,
    ),
    [`y = ${text}.`],
  ]),
  [
    'rows and cells of tables in tables',
    `<w:tbl><w:tr><w:tc>${paragraph(run('A'))}<w:tbl><w:tr>${cell('1')}${cell('2')}</w:tr><w:tr>${cell('3')}${cell('4')}</w:tr></w:tbl>${paragraph(run('B'))}</w:tc>${cell('C')}</w:tr></w:tbl>`,
    ['A 1, 2; 3, 4 B | C'],
  ],
  [
    'rows that begin in a later column',
    `<w:tbl><w:tr>${cell('A')}${cell('B')}</w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('2')}</w:tr></w:tbl>`,
    ['A | B\n | 2'],
  ],
  [
    'text in fonts of symbols',
    paragraph(
      run('ü', '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>') +
        run(' paid ') +
        run('\uf052', '<w:rFonts w:ascii="Wingdings 2"/>') +
        run(' ü ', '<w:rFonts w:ascii="Arial"/>') +
        run('m', '<w:rFonts w:ascii="Symbol"/>'),
    ),
    ['✓ paid ☑ ü μ'],
  ],
  [
    'symbols that are fields',
    paragraph(
      `${field('begin')}<w:r><w:instrText> SYMBOL 252 \\f "Wingdings" \\s 11 </w:instrText></w:r>` +
        `${field('end')}${run(' paid ')}` +
        `${field('begin')}<w:r><w:instrText>SYMBOL 0x</w:instrText></w:r><w:r><w:instrText>6D \\f Symbol</w:instrText></w:r>${field('separate')}${run('m')}${field('end')}${run('g ')}` +
        `<w:fldSimple w:instr=" SYMBOL 8364 \\u \\* MERGEFORMAT"/>${run('5 ')}` +
        `<w:fldSimple w:instr="PAGE">${run('7')}</w:fldSimple>`,
    ),
    ['✓ paid μg €5 7'],
  ],
  [
    'descriptions of pictures',
    paragraph(
      `${run('Press')}<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="the red&#10;button"/></wp:inline></w:drawing></w:r>${run('now.')}`,
    ) +
      paragraph(
        '<w:r><w:pict><v:shape alt="Opening hours: 9 to 5"/></w:pict></w:r>' +
          '<w:r><w:drawing><wp:anchor><wp:docPr descr="C:\\img 1.PNG"/>' +
          '<wp:docPr descr="secret" hidden="1"/></wp:anchor></w:drawing></w:r>',
      ) +
      paragraph(
        '<w:del><w:r><w:drawing><wp:docPr descr="old"/></w:drawing></w:r></w:del>' +
          '<w:r><w:drawing><wp:docPr title="Map"/></w:drawing></w:r>',
      ) +
      `<w:tbl><w:tr><w:tc>${paragraph('<w:r><w:drawing><wp:docPr descr="Logo"/></w:drawing></w:r>')}</w:tc>${cell('A')}</w:tr></w:tbl>`,
    ['Press the red button now.', 'Opening hours: 9 to 5', 'Map', 'Logo | A'],
  ],
  [
    'raised numbers by their position',
    paragraph(run('10') + run('6', '<w:position w:val="8"/><w:sz w:val="14"/>')),
    ['10⁶'],
  ],
  [
    'tables in tables',
    `<w:tbl><w:tr><w:tc>${paragraph(run('A'))}<w:tbl><w:tr><w:tc>${paragraph(run('B'))}</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>`,
    ['A B'],
  ],
  [
    'a numbered heading as a heading',
    paragraph(
      run('Head'),
      '<w:outlineLvl w:val="1"/><w:numPr><w:numId w:val="3"/></w:numPr>',
    ) + paragraph(run('item'), '<w:numPr><w:numId w:val="3"/></w:numPr>'),
    ['## Head', '- item'],
  ],
])('reads %s', async (_, body, expected) => expect(await docx(body)).toEqual(expected))

test('reads notes behind their paragraphs, then headers, without comments', async () => {
  const body =
    paragraph(`${run('Price')}<w:r><w:footnoteReference w:id="2"/></w:r>`) +
    paragraph(run('End'))
  const part = (tag: string, content: string) =>
    `<w:${tag} ${namespaces}>${content}</w:${tag}>`
  expect(
    await docx(body, {
      'word/_rels/document2.xml.rels': relations(
        ['a', 'footnotes', 'Notes.xml'],
        ['b', 'header', '/word/header1.xml'],
        ['c', 'footer', 'footer1.xml'],
        ['d', 'header', 'header2.xml'],
        ['e', 'comments', 'comments.xml'],
      ),
      'word/notes.xml': part(
        'footnotes',
        `<w:footnote w:id="2">${paragraph(run('with tax'))}</w:footnote>`,
      ),
      'word/header1.xml': part('hdr', paragraph(run('Acme Ltd'))),
      'word/header2.xml': part('hdr', paragraph(run('Acme Ltd'))),
      'word/footer1.xml': part('ftr', paragraph(run('1 / 3'))),
      'word/comments.xml': part('comments', paragraph(run('remark'))),
    }),
  ).toEqual(['Price', 'with tax', 'End', '', 'Acme Ltd'])
})

test('reads charts, diagrams and embedded HTML', async () => {
  const body =
    paragraph('<w:r><w:drawing><c:chart r:id="a"/></w:drawing></w:r>') +
    paragraph('<w:r><w:drawing><dgm:relIds r:dm="b"/></w:drawing></w:r>') +
    '<w:altChunk r:id="c"/>'
  expect(
    await docx(body, {
      'word/_rels/document2.xml.rels': relations(
        ['a', 'chart', 'charts/chart1.xml'],
        ['b', 'diagramData', 'diagrams/data1.xml'],
        ['c', 'aFChunk', 'chunk.html'],
      ),
      'word/charts/chart1.xml':
        '<c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:strCache><c:pt><c:v>May</c:v></c:pt></c:strCache><c:numCache><c:v>7</c:v></c:numCache></c:chart>',
      'word/diagrams/data1.xml':
        '<dgm:pt><dgm:t><a:p><a:r><a:t>Step</a:t></a:r></a:p></dgm:t></dgm:pt>',
      'word/chunk.html': '<h1>Chunk</h1><p>text',
    }),
  ).toEqual(['Sales\nMay', 'Step', '# Chunk', 'text'])
})

const slide = (content: string, attributes = '') =>
  `<p:sld ${attributes}>${content}</p:sld>`
const shape = (text: string, type = '') =>
  `<p:sp><p:nvPr>${type && `<p:ph type="${type}"/>`}</p:nvPr><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp>`

test('reads slides in their order with their own notes, groups, tables and diagrams', async () => {
  const found: Block[] = []
  const cell = (text: string) => `<a:tc><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:tc>`
  const bytes = zipped({
    '_rels/.rels': relations(['r', 'officeDocument', '\\ppt\\Main.xml']),
    'ppt/main.xml':
      `<p:presentation xmlns:q="${address.slice(0, -1)}">` +
      '<p:sldId id="1" q:id="b"/><p:sldId id="2" q:id="a"/></p:presentation>',
    'ppt/_rels/main.xml.rels': relations(
      ['a', 'slide', 'slides/slide1.xml'],
      ['b', 'slide', '/ppt/slides/slide2.xml'],
    ),
    'ppt/slides/slide1.xml': slide(
      `${shape('Warranty', 'title')}<p:grpSp><p:grpSp>${shape('in a group')}</p:grpSp></p:grpSp>` +
        `<p:graphicFrame><a:tbl><a:tr>${cell('Plan')}${cell('Price')}</a:tr><a:tr>${cell('A')}${cell('1')}</a:tr></a:tbl></p:graphicFrame>` +
        '<p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame>',
    ),
    'ppt/slides/_rels/slide1.xml.rels': relations([
      'd',
      'diagramData',
      '../diagrams/data1.xml',
    ]),
    'ppt/diagrams/data1.xml':
      '<a:p><a:r><a:t>Plan it</a:t></a:r></a:p><a:p><a:r><a:t>Do it</a:t></a:r></a:p>',
    'ppt/slides/slide2.xml': slide(
      shape('Prices', 'ctrTitle') + shape('7', 'sldNum'),
      'show="0"',
    ),
    'ppt/slides/_rels/slide2.xml.rels': relations([
      'n',
      'notesSlide',
      '../notesSlides/notesSlide1.xml',
    ]),
    'ppt/notesSlides/notesSlide1.xml':
      `<p:notes>${shape('', 'sldImg')}` + `${shape('Discount', 'body')}</p:notes>`,
  })
  for await (const block of pptxBlocks(bytes)) found.push(block)
  expect(shown(found)).toEqual([
    '# Prices',
    'Discount',
    '# Warranty',
    'in a group',
    'Plan | Price\nA | 1',
    'Plan it\nDo it',
  ])
  expect(found.map(({ page }) => page)).toEqual([1, 1, 2, 2, 2, 2])
})

test('reads styles that are based on those of headings', async () => {
  const styles =
    '<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>' +
    '<w:style w:styleId="My"><w:name w:val="My"/><w:basedOn w:val="H1"/></w:style></w:styles>'
  const body = paragraph(run('Hours'), '<w:pStyle w:val="My"/>')
  const parts = {
    'word/_rels/document2.xml.rels': relations(['r1', 'styles', 'styles.xml']),
    'word/styles.xml': styles,
  }
  expect(await docx(body, parts)).toEqual(['# Hours'])
})

const val = (tag: string, value: string | number) => `<w:${tag} w:val="${value}"/>`
const listed = (text: string, id: number, level = 0, style = '') =>
  paragraph(
    run(text),
    `${style && val('pStyle', style)}<w:numPr>${val('ilvl', level)}${val('numId', id)}</w:numPr>`,
  )
const level = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}">${val('start', 1)}${val('numFmt', format)}${val('lvlText', text)}${more}</w:lvl>`
const abstractList = (id: number, ...levels: string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`
const list = (id: number, abstract: number, overrides = '') =>
  `<w:num w:numId="${id}">${val('abstractNumId', abstract)}${overrides}</w:num>`

async function numbered(body: string, numbering: string, styles = ''): Promise<string[]> {
  return docx(body, {
    'word/_rels/document2.xml.rels': relations(
      ['n', 'numbering', 'numbering.xml'],
      ['s', 'styles', 'styles.xml'],
    ),
    'word/numbering.xml': `<w:numbering>${numbering}</w:numbering>`,
    'word/styles.xml': `<w:styles>${styles}</w:styles>`,
  })
}

test('writes the numbers of headings and lists', async () => {
  const numbering =
    abstractList(
      1,
      level(0, 'decimal', '%1.', val('pStyle', 'H1')),
      level(1, 'decimal', '%1.%2', val('pStyle', 'H2')),
      level(2, 'lowerLetter', '%3)'),
    ) +
    abstractList(2, level(0, 'decimal', '§ %1'), level(1, 'upperRoman', '(%2)')) +
    abstractList(3, level(0, 'bullet', '\uf0b7')) +
    list(1, 1) +
    list(2, 2) +
    list(3, 2, `<w:lvlOverride w:ilvl="0">${val('startOverride', 7)}</w:lvlOverride>`) +
    list(4, 3)
  const heading = (n: number) =>
    `<w:style w:styleId="H${n}"><w:name w:val="heading ${n}"/><w:pPr><w:numPr>` +
    `${n > 1 ? val('ilvl', n - 1) : ''}${val('numId', 1)}</w:numPr></w:pPr></w:style>`
  const body =
    paragraph(run('Scope'), val('pStyle', 'H1')) +
    paragraph(run('Goods'), val('pStyle', 'H2')) +
    listed('new', 1, 2) +
    listed('used', 1, 2) +
    paragraph('', val('pStyle', 'H2')) +
    paragraph(run('Services'), val('pStyle', 'H2')) +
    listed('all', 1, 2) +
    paragraph(run('Price'), val('pStyle', 'H1')) +
    paragraph(run('Tax'), val('pStyle', 'H2')) +
    paragraph(
      run('Without'),
      `${val('pStyle', 'H2')}<w:numPr>${val('numId', 0)}</w:numPr>`,
    ) +
    listed('Parties', 2) +
    listed('one', 2, 1) +
    listed('two', 2, 1) +
    listed('Law', 2) +
    listed('Court', 3) +
    listed('point', 4) +
    `<w:tbl><w:tr><w:tc>${listed('in a cell', 2)}${listed('dot', 4)}</w:tc></w:tr></w:tbl>`
  expect(await numbered(body, numbering, heading(1) + heading(2))).toEqual([
    '# 1. Scope',
    '## 1.1 Goods',
    'a) new\nb) used',
    '## 1.3 Services',
    'a) all',
    '# 2. Price',
    '## 2.1 Tax',
    '## Without',
    '§ 1 Parties\n  (I) one\n  (II) two\n§ 2 Law\n§ 7 Court\n- point',
    '§ 8 in a cell dot',
  ])
})

test('writes numbers of other forms, and those of list styles', async () => {
  const forms = [
    'lowerRoman',
    'decimalZero',
    'russianUpper',
    'chineseCounting',
    'none',
    'ordinal',
  ]
  const numbering =
    forms
      .map(
        (form, at) =>
          abstractList(at, level(0, form, form === 'none' ? '' : '%1)')) +
          list(at + 1, at),
      )
      .join('') +
    abstractList(
      20,
      level(0, 'upperLetter', '%1'),
      level(1, 'decimal', '%1-%2', '<w:isLgl/>'),
    ) +
    list(20, 20) +
    `<w:abstractNum w:abstractNumId="21">${val('numStyleLink', 'Legal')}</w:abstractNum>` +
    list(21, 21)
  const styles =
    `<w:style w:type="numbering" w:styleId="Legal"><w:pPr><w:numPr>` +
    `${val('numId', 20)}</w:numPr></w:pPr></w:style>`
  const body = forms
    .map(
      (form, at) => listed(form, at + 1) + listed('next', at + 1) + paragraph(run('-')),
    )
    .join('')
  const shownLists = (await numbered(body, numbering, styles)).filter(
    (text) => text !== '-',
  )
  expect(shownLists).toEqual([
    'i) lowerRoman\nii) next',
    '01) decimalZero\n02) next',
    'А) russianUpper\nБ) next',
    '一) chineseCounting\n二) next',
    'none\nnext',
    '1) ordinal\n2) next',
  ])
  expect(await numbered(listed('a', 21) + listed('b', 21, 1), numbering, styles)).toEqual(
    ['A a\n  1-1 b'],
  )
})

test('reads hidden, struck and raised text by styles', async () => {
  const style = (id: string, properties: string, base = '') =>
    `<w:style w:styleId="${id}">${base && val('basedOn', base)}<w:rPr>${properties}</w:rPr></w:style>`
  const styles =
    style('Old', '<w:strike/>') +
    style('Older', '', 'Old') +
    style('Secret', '<w:vanish/>') +
    style('Power', val('vertAlign', 'superscript'))
  const body =
    paragraph(run('99 €'), val('pStyle', 'Older')) +
    paragraph(
      run('7', val('rStyle', 'Secret')) + run('10') + run('6', val('rStyle', 'Power')),
    )
  expect(await numbered(body, '', styles)).toEqual(['~~99 €~~', '10⁶'])
})

test('writes numbers, raised and struck text, and merged cells of slides', async () => {
  const line = (properties: string, ...runs: string[]) =>
    `<a:p>${properties}${runs.join('')}</a:p>`
  const part = (text: string, attributes = '') =>
    `<a:r><a:rPr ${attributes}/><a:t>${text}</a:t></a:r>`
  const auto = (type: string, more = '', outer = '') =>
    `<a:pPr ${outer}><a:buAutoNum type="${type}" ${more}/></a:pPr>`
  const tableCell = (text: string, attributes = '') =>
    `<a:tc ${attributes}>${line('', part(text))}</a:tc>`
  const box = (content: string) => `<p:sp><p:txBody>${content}</p:txBody></p:sp>`
  const content =
    box(
      line(auto('arabicPeriod', 'startAt="3"'), part('three')) +
        line(auto('alphaLcParenR', '', 'lvl="1"'), part('sub')) +
        line(auto('alphaLcParenR', '', 'lvl="1"'), part('sub')) +
        line(auto('arabicPeriod', 'startAt="3"')) +
        line(auto('arabicPeriod', 'startAt="3"'), part('four')) +
        line('', part('plain')) +
        line(auto('romanUcParenBoth'), part('one')),
    ) +
    box(
      '<a:lstStyle><a:lvl1pPr><a:buAutoNum type="circleNumDbPlain"/></a:lvl1pPr></a:lstStyle>' +
        line('', part('first')) +
        line('<a:pPr><a:buNone/></a:pPr>', part('none')),
    ) +
    box(
      line(
        '',
        part('10'),
        part('-', 'baseline="30000"'),
        part('6', 'baseline="30000"'),
        part(' H'),
        part('2', 'baseline="-25000"'),
        part('O '),
        part('99 ', 'strike="sngStrike"'),
        part('€', 'strike="dblStrike"'),
        part(' 79 €', 'strike="noStrike"'),
      ),
    ) +
    `<p:graphicFrame><a:tbl><a:tr>${tableCell('City')}${tableCell('Day')}</a:tr><a:tr>${tableCell('Rome', 'rowSpan="2"')}${tableCell('Mo')}</a:tr><a:tr>${tableCell('', 'vMerge="1"')}${tableCell('Tu')}</a:tr></a:tbl></p:graphicFrame>` +
    box(
      line('', `<a14:m><m:oMath>${power(term('10'), '6')}</m:oMath></a14:m>`, part(' m')),
    )
  const bytes = zipped({
    'ppt/presentation.xml': `<p:presentation><p:sldId r:id="a"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(['a', 'slide', 'slides/slide1.xml']),
    'ppt/slides/slide1.xml': slide(content),
  })
  const found: Block[] = []
  for await (const block of pptxBlocks(bytes)) found.push(block)
  expect(shown(found)).toEqual([
    '3. three\na) sub\nb) sub\n4. four\nplain\n(I) one',
    '① first\nnone',
    '10⁻⁶ H₂O ~~99 €~~ 79 €',
    'City | Day\nRome | Mo\nRome | Tu',
    '10^6 m',
  ])
})

test('reads descriptions of pictures, groups and charts on slides', async () => {
  const named = (descr: string, more = '') =>
    `<p:nvPr><p:cNvPr name="x" descr="${descr}" ${more}/></p:nvPr>`
  const words = (text: string) =>
    `<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody>`
  const content =
    `<p:spTree>${named('')}<p:pic>${named('Our shop from the street')}</p:pic>` +
    `<p:pic>${named('IMG_1.jpg')}</p:pic><p:pic>${named('behind', 'hidden="1"')}</p:pic>` +
    `<p:sp>${named('A box with words')}${words('words')}</p:sp>` +
    `<p:sp>${named('An arrow to the right')}</p:sp>` +
    `<p:grpSp>${named('A plan of two rooms')}<p:sp>${named('')}${words('Kitchen')}</p:sp></p:grpSp>` +
    `<p:graphicFrame>${named('Sales grow')}<a:tbl><a:tr><a:tc>${words('2025')}</a:tc></a:tr></a:tbl></p:graphicFrame></p:spTree>`
  expect(await slideTexts({ 'ppt/slides/slide1.xml': slide(content) })).toEqual([
    'Our shop from the street',
    'words',
    'An arrow to the right',
    'A plan of two rooms',
    'Kitchen',
    'Sales grow',
    '2025',
  ])
})

test('numbers paragraphs by the styles of layout, master and presentation', async () => {
  const levels = (...numbers: string[]) =>
    numbers
      .map((content, at) => `<a:lvl${at + 1}pPr>${content}</a:lvl${at + 1}pPr>`)
      .join('')
  const auto = (type: string, more = '') => `<a:buAutoNum type="${type}" ${more}/>`
  const placed = (ph: string, content: string, list = '') =>
    `<p:sp><p:nvPr>${ph}</p:nvPr><p:txBody><a:lstStyle>${list}</a:lstStyle>${content}</p:txBody></p:sp>`
  const line = (text: string, properties = '') =>
    `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`
  const content =
    placed('<p:ph type="title"/>', line('Plan')) +
    placed('<p:ph idx="1"/>', line('a') + line('b', '<a:pPr lvl="1"/>') + line('c')) +
    placed('<p:ph idx="9" type="body"/>', line('d') + line('e', '<a:pPr lvl="1"/>')) +
    placed('<p:ph type="body" idx="7"/>', line('f'), levels('<a:buChar char="*"/>')) +
    placed('', line('g') + line('h', '<a:pPr><a:buNone/></a:pPr>'))
  const ofLayout = levels(auto('arabicParenR', 'startAt="4"'))
  const layout = placed('<p:ph idx="1"/>', line('x'), ofLayout)
  const ofMaster = levels('', auto('alphaLcPeriod'))
  const master = placed('<p:ph type="body" idx="1"/>', line('x'), ofMaster)
  expect(
    await slideTexts({
      'ppt/presentation.xml': `<p:presentation><p:sldId r:id="a"/><p:defaultTextStyle>${levels(auto('romanUcPeriod'))}</p:defaultTextStyle></p:presentation>`,
      'ppt/slides/slide1.xml': slide(content),
      'ppt/slides/_rels/slide1.xml.rels': relations([
        'l',
        'slideLayout',
        '../slideLayouts/l.xml',
      ]),
      'ppt/slideLayouts/l.xml': `<p:sldLayout>${layout}</p:sldLayout>`,
      'ppt/slideLayouts/_rels/l.xml.rels': relations([
        'm',
        'slideMaster',
        '../slideMasters/m.xml',
      ]),
      'ppt/slideMasters/m.xml':
        `<p:sldMaster>${master}` +
        `<p:txStyles><p:titleStyle>${levels('<a:buNone/>')}</p:titleStyle><p:bodyStyle>${levels(auto('arabicPeriod'), '<a:buChar char="-"/>')}</p:bodyStyle></p:txStyles></p:sldMaster>`,
    }),
  ).toEqual(['# Plan', '4) a\na. b\n5) c', '1. d\na. e', 'f', 'I. g\nh'])
})

/** Returns the texts of a presentation with one slide. */
async function slideTexts(parts: Record<string, string>): Promise<string[]> {
  const found: Block[] = []
  const bytes = zipped({
    'ppt/presentation.xml': '<p:presentation><p:sldId r:id="a"/></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations(['a', 'slide', 'slides/slide1.xml']),
    ...parts,
  })
  for await (const block of pptxBlocks(bytes)) found.push(block)
  return shown(found)
}
