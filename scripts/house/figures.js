// Measures how easy the code is to live in. Each figure stands beside its value before the division into core
// and features, and beside the value of comparable projects.
import { posix } from 'node:path'
import { readImports } from './imports.js'
import { findForeign, server } from './modules.js'

const own = (sources, beginning) =>
  sources.filter(({ path, text }) => path.startsWith(beginning) && !isGenerated(text))
const isGenerated = (text) => /^\/\/ Generated\b/.test(text)

/** Returns figures `{ name, before, now, goal }`. `checked` are sources without tests, `sources` all. */
export function measure(sources, checked, { architecture, services }) {
  const foreign = findForeign(readImports(checked))
  const inServer = own(checked, server)
  const row = (name, before, now, goal) => ({ name, before, now, goal })
  return [
    row(
      'files of the server imported by other modules',
      '480',
      countFiles(foreign),
      '≤ 40',
    ),
    row(
      'names of the server imported by other modules',
      '1,568',
      countNames(foreign),
      '≤ 500',
    ),
    row('members of Services', '69', countMembers(services), '≤ 15'),
    row('folders with more than 25 files', '23', countFull(checked), '0'),
    row('lines of the longest file', '702', findLongest(inServer), '≤ 400'),
    row(
      'characters per line of the server',
      '37.3',
      measureDensity(inServer),
      'about 33',
    ),
    row('dialect per 1,000 names of the server', '43', measureDialect(inServer), '≤ 8'),
    row('objects on one line to keep it whole', '740', countTricks(sources), '0'),
    row('words of ARCHITECTURE.md', '6,852', countWords(architecture), '≤ 1,500'),
    row('files that name the type of all settings', '37', countConfig(inServer), '≤ 25'),
  ]
}

const countFiles = (foreign) => new Set(foreign.map(({ to }) => to)).size

const countNames = (foreign) =>
  new Set(foreign.flatMap(({ to, names }) => names.map((name) => `${to} ${name}`))).size

/** Counts the members of the interface `Services`, which are indented by two spaces. */
export const countMembers = (text) =>
  [
    ...(/^export interface Services \{(.*?)^\}/ms.exec(text)?.[1] ?? '').matchAll(
      /^ {2}\w+\??:/gm,
    ),
  ].length

/** Migrations are a numbered list, so their folder does not count. */
function countFull(checked) {
  const counts = new Map()
  for (const { path } of checked) {
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts.values()].filter((count) => count > 25).length
}

const findLongest = (sources) =>
  Math.max(...sources.map(({ text }) => text.split('\n').length - 1))

/** Returns the characters per line that is not blank, without its indentation. */
function measureDensity(sources) {
  const lines = sources
    .flatMap(({ text }) => text.split('\n').map((line) => line.trim()))
    .filter(Boolean)
  const characters = lines.reduce((sum, line) => sum + line.length, 0)
  return Math.round((characters / lines.length) * 10) / 10
}

const declared = /\b(?:const|let|function\*?|class|interface|type) ([A-Za-z_$][\w$]*)/g
const dialect =
  /.(?:Of|Shown|Asked|Said|Given)$|^(?:most|who|what)[A-Z]|^(?:made|given|known|whole|hearing)$/

/** Returns the number of names with dialect among 1,000 different names. */
export function measureDialect(sources) {
  const names = new Set(
    sources.flatMap(({ text }) => [...text.matchAll(declared)].map(([, name]) => name)),
  )
  const found = [...names].filter((name) => dialect.test(name))
  return Math.round((found.length / names.size) * 1000)
}

/** `...{ a, b }`: an object that is spread at once, which the formatter leaves on its line. */
export const countTricks = (sources) =>
  sources.flatMap(({ text }) => [...text.matchAll(/^\s*\.\.\.\{ .* \},?$/gm)]).length

export const countWords = (text) =>
  text.split(/\s+/).filter((word) => /\w/.test(word)).length

const countConfig = (sources) =>
  sources.filter(({ text }) =>
    /^import .*\bConfig\b.*\/config(?:\/index)?\.ts'|^ {2}(?:type )?Config,$/m.test(text),
  ).length

/** Returns the figures as lines of a table for a terminal. */
export function toLines(figures) {
  const rows = [{ name: '', before: 'before', now: 'now', goal: 'goal' }, ...figures].map(
    ({ name, before, now, goal }) => [name, before, now.toLocaleString('en'), goal],
  )
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column].length)),
  )
  return rows.map(
    ([name, before, now, goal]) =>
      `${name.padEnd(widths[0])}  ${before.padStart(widths[1])}  ${now.padStart(widths[2])}  ${goal}`,
  )
}
