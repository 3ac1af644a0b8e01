// Finds text that breaks the project's writing rules: long lines, and dialect in comments, API
// errors and the OpenAPI documents. Each finding names its location and the remedy.
import { partsOfServer } from '../build/packages.js'

const maxLine = 110
const usualLine = 100
/** Share of lines in one package with more than `usualLine` characters. */
const maxLongShare = 0.015
/** Dialect words per 1,000 words of comments in one package. Leaves room for quotations. */
const maxPerThousand = 0.5
const maxSummaryWords = 8

/** Present values of packages that do not meet the limits yet: lower or remove them, never raise them. */
const allowances = {
  // Code of bots in one line of text.
  'packages/server/test': { overLong: 50 },
}

/** Dialect, each with a replacement. */
const dialect = [
  [
    /(?:is|are|was|were|be|been|being|has|have) told|told/,
    '"notified", "sent" or "delivered"',
  ],
  [/whoever|whom|nobody|somebody/, 'the role, such as "the caller" or "no client"'],
  [/whose/, '"of the …" or "with a …"'],
  [/(?:what|who) (?:is|was|has|had|there|waits|stands|asks|calls)/, 'a noun'],
  [/(?:what|who) (?:shows|knows|holds|comes|goes|follows)/, 'a noun'],
  [/of (?:its|their) own/, '"its own …" or "a separate …"'],
  [/anew/, '"again"'],
  [/in hand/, '"holds the lease"'],
  [/says? so/, 'the fact'],
  [/goes on/, '"continues"'],
  [/takes? up/, '"claims"'],
].map(([wording, instead]) => ({
  wording: new RegExp(`\\b(?:${/** @type {RegExp} */ (wording).source})\\b`, 'gi'),
  instead,
}))

/** Verbs of OpenAPI summaries. */
const verbs = new Set(
  [
    'Accept Add Answer Assign Break Buy Call Cancel Change Charge Check Close Copy Count Create Delete',
    'Convert Discard Duplicate End Erase Export Find Generate Get',
    'Import Increment Keep List Merge Migrate Order Pay Preview Publish Record',
    'Redeliver Remove Rename Replace Request Resolve Restore Resume Revoke Roll Rotate Run Save Search Send',
    'Set Show Sign Split Start Stop Stream Sum Test Transcribe Transfer Unlink Update Validate Verify',
  ].flatMap((words) => words.split(' ')),
)

/** Returns the findings in lines, comments and errors of sources: `{ path, text }`. */
export const findInSources = (sources) =>
  [...byPackage(sources)].flatMap(([name, files]) => {
    const limits = {
      overLong: 0,
      longShare: maxLongShare,
      perThousand: maxPerThousand,
      ...allowances[name],
    }
    return [
      ...ifMore(files.flatMap(tooLong), limits.overLong),
      ...tooManyLong(name, files, limits.longShare),
      ...tooMuchDialect(files, limits.perThousand),
      ...files.flatMap(dialectInErrors),
    ]
  })

/** Returns the findings in the summaries and descriptions of an OpenAPI document. */
export const findInOpenApi = (name, document) =>
  Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId, summary = '', description = '' }) => {
      const place = `${name}.${operationId}`
      const [verb] = summary.split(' ')
      return [
        ...(countWords(summary) > maxSummaryWords
          ? [
              `${place}: write a summary of at most ${maxSummaryWords} words: "${summary}"`,
            ]
          : []),
        ...(verbs.has(verb)
          ? []
          : [
              `${place}: begin the summary with a verb, or add "${verb}" to the verbs in ` +
                `scripts/checks/prose.js: "${summary}"`,
            ]),
        ...dialectIn(`${summary} ${description}`).map(
          (found) => `${place}: ${remedy(found)}`,
        ),
      ]
    })

const ofServer = ['server', ...partsOfServer].join('|')
const serverTest = new RegExp(`^packages/(?:${ofServer})/(?:test/|.*\\.test\\.ts$)`)

/** Groups files by package. The tests of the server and its parts are one group: `packages/server/test`. */
function byPackage(files) {
  const packages = new Map()
  for (const file of files) {
    const [name] = /^packages\/[^/]+|^[^/]+/.exec(file.path)
    const group = serverTest.test(file.path) ? 'packages/server/test' : name
    packages.set(group, [...(packages.get(group) ?? []), file])
  }
  return packages
}

const ifMore = (findings, allowed) => (findings.length > allowed ? findings : [])

const tooLong = ({ path, text }) =>
  text
    .split('\n')
    .flatMap((line, i) =>
      line.length > maxLine && !isUnbreakable(line)
        ? [
            `${path}:${i + 1}: wrap the line: ${line.length} characters, at most ${maxLine}`,
          ]
        : [],
    )

/** URLs, patterns, paths of drawings, and generated imports of one name cannot be wrapped. */
const isUnbreakable = (line) =>
  /\S{60}/.test(line) ||
  /^import \{ [\w ]+ \} from '[^']+'$/.test(line) ||
  /^\s*\/.+\/[a-z]*,?$/.test(line) ||
  /^\s*'M[-\d. a-zA-Z]+',$/.test(line)

function tooManyLong(name, files, allowed) {
  const lines = files.flatMap(({ path, text }) =>
    text.split('\n').map((line, i) => ({ path, line, i })),
  )
  const long = lines.filter(({ line }) => line.length > usualLine && !isUnbreakable(line))
  if (long.length <= allowed * lines.length) return []
  const share = ((100 * long.length) / lines.length).toFixed(1)
  const most = (100 * allowed).toFixed(1)
  const rule = `${share} % of the lines in ${name} have over ${usualLine} characters, at most ${most} %`
  const [{ path, i }] = long
  return [`${path}:${i + 1}: wrap lines: ${rule}`]
}

function tooMuchDialect(files, allowed) {
  const comments = files.map((file) => ({ ...file, text: listComments(file.text) }))
  const words = comments.reduce((sum, { text }) => sum + countWords(text), 0)
  const findings = comments.flatMap(({ path, text }) =>
    dialectIn(text).map(
      (found) => `${path}:${lineAt(text, found.index)}: ${remedy(found)}`,
    ),
  )
  return ifMore(findings, (allowed * words) / 1_000)
}

/** Replaces all but comments and line ends by spaces, so that positions stay valid. */
function listComments(text) {
  const pattern = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm
  let end = 0
  let comments = ''
  for (const { 0: comment, index } of text.matchAll(pattern)) {
    comments += blank(text.slice(end, index)) + comment
    end = index + comment.length
  }
  return comments + blank(text.slice(end))
}

const blank = (text) => text.replace(/[^\n]/g, ' ')

function dialectInErrors({ path, text }) {
  if (!/^packages\/[^/]+\/src\/.*(?<!\.test)\.ts$/.test(path)) return []
  return [...text.matchAll(/new ApiError\(/g)].flatMap(({ 0: start, index }) => {
    const from = index + start.length
    return [
      ...text.slice(from, closing(text, from)).matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g),
    ].flatMap(({ 0: literal, index: at }) =>
      dialectIn(literal).map(
        (found) => `${path}:${lineAt(text, from + at)}: ${remedy(found)}`,
      ),
    )
  })
}

/** Returns the position of the parenthesis that closes a call. */
function closing(text, from) {
  let depth = 1
  let at = from
  for (; depth > 0 && at < text.length; at++) depth += { '(': 1, ')': -1 }[text[at]] ?? 0
  return at
}

const dialectIn = (text) =>
  dialect.flatMap(({ wording, instead }) =>
    [...text.matchAll(wording)].map(({ 0: words, index }) => ({ words, index, instead })),
  )

const remedy = ({ words, instead }) => `write ${instead} instead of "${words}"`
const countWords = (text) => text.match(/[\p{L}\p{N}_`'.-]+/gu)?.length ?? 0
const lineAt = (text, index) => text.slice(0, index).split('\n').length
