import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { openDocumentBlocks } from './open-document.ts'

const names = [
  'office',
  'text',
  'table',
  'draw',
  'style',
  'presentation',
  'svg',
  'xlink',
  'dc',
]
const declared = names.map((name) => `xmlns:${name}="urn:${name}"`).join(' ')

interface Parts {
  styles?: string
  master?: string
  [path: string]: string | undefined
}

function read(body: string, { styles = '', master = '', ...parts }: Parts = {}) {
  const content =
    `<?xml version="1.0"?><office:document-content ${declared}>` +
    `<office:automatic-styles>${styles}</office:automatic-styles>` +
    `<office:body>${body}</office:body></office:document-content>`
  const entries = {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': content,
    'styles.xml': `<office:document-styles ${declared}>${master}</office:document-styles>`,
    ...parts,
  }
  return openDocumentBlocks(
    zipSync(
      Object.fromEntries(
        Object.entries(entries).map(([path, text]) => [path, strToU8(text!)]),
      ),
    ),
  )
}

const texts = async (...document: Parameters<typeof read>) =>
  (await read(...document)).map(({ text }) => text)

test('reads headings, paragraphs, lists and tables in their order', async () => {
  const body = `<office:text>
    <text:h text:outline-level="2">Opening hours</text:h>
    <text:p>We are<text:s text:c="2"/>open<text:line-break/>every day &amp; night.</text:p>
    <text:list><text:list-item><text:p>Bread</text:p></text:list-item>
      <text:list-item><text:p>Rolls</text:p></text:list-item></text:list>
    <table:table><table:table-header-rows><table:table-row>
      <table:table-cell><text:p>Article</text:p></table:table-cell>
      <table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row></table:table-header-rows>
      <table:table-row><table:table-cell><text:p>Loaf</text:p></table:table-cell>
      <table:table-cell><text:p>3 €</text:p></table:table-cell></table:table-row></table:table>
    </office:text>`
  expect(await read(body)).toEqual([
    { kind: 'heading', level: 2, text: 'Opening hours' },
    { kind: 'paragraph', text: 'We are open every day & night.' },
    { kind: 'list', text: '- Bread\n- Rolls' },
    { kind: 'table', header: 'Article | Price', text: 'Loaf | 3 €' },
  ])
})

test('numbers lists as their style says, also where a list continues another', async () => {
  const styles =
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="a"/>' +
    '<text:list-level-style-bullet text:level="2"/></text:list-style>'
  const item = (content: string) => `<text:list-item>${content}</text:list-item>`
  const body =
    `<text:list text:style-name="L1">${item('<text:p>one</text:p>')}${item(
      `<text:p>two</text:p><text:list>${item('<text:p>inside</text:p>')}</text:list>`,
    )}</text:list><text:p>Between</text:p>` +
    '<text:list text:style-name="L1" text:continue-numbering="true">' +
    `${item('<text:p>three</text:p>')}</text:list>`
  const [first, , last] = await texts(body, { styles })
  expect(first!.split('\n').map((line) => line.trim())).toEqual([
    'a. one',
    'b. two',
    '- inside',
  ])
  expect(last).toBe('c. three')
})

test('omits deleted text, comments and hidden text, and keeps notes', async () => {
  const styles =
    '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>' +
    '<style:style style:name="S"><style:text-properties style:text-position="super 58%"/></style:style>'
  const body =
    '<text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p>' +
    '</text:deletion></text:changed-region></text:tracked-changes>' +
    '<text:p>Area in m<text:span text:style-name="S">2</text:span>' +
    '<office:annotation><dc:creator>Ann</dc:creator><text:p>comment</text:p></office:annotation>' +
    '<text:span text:style-name="H">hidden</text:span>' +
    '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>without stairs</text:p>' +
    '</text:note-body></text:note></text:p>' +
    '<text:section text:display="none"><text:p>gone</text:p></text:section>'
  const all = (await texts(body, { styles })).join('\n')
  expect(all).toContain('m²')
  expect(all).toContain('without stairs')
  expect(all).not.toMatch(/deleted|comment|hidden|gone|Ann/)
})

const frame = (kind: string, content: string) =>
  `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${content}</text:p></draw:text-box></draw:frame>`

test('reads slides with their titles and the notes of the speaker', async () => {
  const body =
    '<office:presentation><draw:page draw:name="p1">' +
    frame('title', 'Prices') +
    frame('outline', 'From 3 €') +
    '<presentation:notes><draw:frame><draw:text-box><text:p>Smile</text:p></draw:text-box></draw:frame>' +
    '</presentation:notes></draw:page></office:presentation>'
  expect(await read(body)).toEqual([
    { kind: 'heading', level: 1, text: 'Prices' },
    { kind: 'paragraph', text: 'From 3 €' },
    { kind: 'paragraph', text: 'Smile' },
  ])
})

test('reads headers and footers once, descriptions of pictures, and the tables of charts', async () => {
  const header =
    '<style:header><text:p>Bakery Hill, Main Street 3</text:p></style:header>'
  const master = `<office:master-styles><style:master-page>${header}<style:footer><text:p>7</text:p>
    </style:footer></style:master-page><style:master-page>${header}</style:master-page></office:master-styles>`
  const chart =
    `<office:document-content ${declared}><office:body><table:table><table:table-row>` +
    '<table:table-cell><text:p>Visitors</text:p></table:table-cell></table:table-row></table:table>' +
    '</office:body></office:document-content>'
  const body =
    '<text:p><draw:frame><draw:image/><svg:desc>A map of the shop</svg:desc></draw:frame>' +
    '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
  const all = await texts(body, { master, 'Object 1/content.xml': chart })
  expect(all.join('\n')).toContain('A map of the shop')
  expect(all.join('\n')).toContain('Visitors')
  expect(all.filter((text) => text === 'Bakery Hill, Main Street 3')).toHaveLength(1)
  expect(all).not.toContain('7')
})

test('names the cause for a protected document, and for a zip of another kind', async () => {
  const manifest =
    '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>'
  await expect(read('', { 'META-INF/manifest.xml': manifest })).rejects.toThrow(
    /password/,
  )
  await expect(openDocumentBlocks(zipSync({ 'a.txt': strToU8('a') }))).rejects.toThrow(
    /content\.xml/,
  )
})

test('rejects a document that nests too deeply', async () => {
  await expect(read('<text:section>'.repeat(2_000))).rejects.toThrow(/nests deeper/)
})
