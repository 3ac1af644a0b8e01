// Generates the tables of docs/configuration.md from the comments and calls in the sections of the
// settings, and in limits.ts.
import {
  limitNames,
  toLimits,
  toSettingName,
} from '../../packages/server/dist/core/config/limits.js'
import { readSource, table } from './marked.js'

const comment = /\/\*\*([\s\S]*?)\*\/\n\s+(\w+)\??:/g
const described = /^([A-Z][A-Z0-9_]+)(?: \[([^\]]*)\])?: (.*)$/
const units = { SECONDS: 'seconds', DAYS: 'days', MB: 'MB' }

const folder = 'packages/server/src/core/config/'

/** Returns the sources of the sections in the order of `readConfig`. */
function readSections() {
  const source = readSource(`${folder}config.ts`)
  const files = new Map(
    [
      ...source.matchAll(/^import .*\b(read\w+)\b.* from '\.\/(sections\/[\w-]+\.ts)'/gm),
    ].map(([, reader, file]) => [reader, file]),
  )
  return [...source.matchAll(/\.\.\.(read\w+)\(/g)].map(([, reader]) =>
    readSource(`${folder}${files.get(reader)}`),
  )
}

export function settingsTable() {
  const sections = readSections()
  const source = sections.join('\n')
  const settings = sections.flatMap(settingsIn)
  const missing = sections
    .flatMap(namesRead)
    .filter((name) => !settings.some((setting) => setting.name === name))
  if (missing.length > 0)
    throw new Error(
      `${folder}sections: describe ${missing.join(', ')} as \`NAME [default]: description.\``,
    )
  const rows = settings.map(({ name, otherwise, text }) => {
    const { value = otherwise || 'none', range = '' } = findCheck(source, name)
    return [
      `\`${name}\``,
      value === 'none' || value.includes(' ') ? value : `\`${value}\``,
      toUnit(name),
      range,
      text,
    ]
  })
  return table(['Variable', 'Default', 'Unit', 'Values', 'Meaning'], rows)
}

const limitTexts = () =>
  new Map(
    [...readSource(`${folder}limits.ts`).matchAll(comment)].map(([, text, name]) => [
      name,
      lines(text).join(' '),
    ]),
  )

export function limitsTable() {
  const descriptions = limitTexts()
  const [strict, relaxed] = [toLimits('strict'), toLimits('relaxed')]
  const rows = limitNames.map((name) => {
    const text = descriptions.get(name)
    if (!text) throw new Error(`limits.ts: describe ${name} in a comment above it`)
    return [
      `\`${toSettingName(name)}\``,
      amount(relaxed[name]),
      amount(strict[name]),
      limitUnit(name),
      text.replace(/^./, (letter) => letter.toUpperCase()),
    ]
  })
  return table(['Variable', 'Relaxed', 'Strict', 'Unit', 'Meaning'], rows)
}

/** Returns the meaning of each variable, for the dashboard. */
export const settingTexts = () =>
  Object.fromEntries([
    ...readSections()
      .flatMap(settingsIn)
      .map((one) => [one.name, one.text]),
    ...limitNames.map((name) => [toSettingName(name), limitTexts().get(name)]),
  ])

/**
 * Returns the described settings. One comment may describe several settings, each on a new line.
 */
function settingsIn(source) {
  const [fields = ''] = /^export interface \w+Section \{.*?^\}/ms.exec(source) ?? []
  return [...fields.matchAll(comment)].flatMap(([, text]) => {
    const settings = []
    for (const line of lines(text)) {
      const [, name, otherwise, words] = described.exec(line) ?? []
      if (name) settings.push({ name, otherwise, text: words })
      else if (settings.length > 0) settings.at(-1).text += ` ${line}`
    }
    return settings
  })
}

const lines = (text) =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trim())
    .filter(Boolean)

/** Returns the variables that a section names in quotes or as `env.NAME`. */
const namesRead = (source) => [
  ...new Set(
    [
      ...source
        .slice(source.indexOf('\n}\n'))
        .matchAll(/(?:env\.|')([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g),
    ]
      .map(([, name]) => name)
      .filter((name) => name !== 'BOTSTEAD_EMBEDDINGS'),
  ),
]

/** Returns default and range, if a function of a section checks them. */
function findCheck(formatted, name) {
  const source = toCalls(formatted)
  const [, otherwise, min, max] =
    new RegExp(`\\(env, '${name}', ([\\d_]+), ([\\d_]+), ([\\d_]+)\\)`).exec(source) ?? []
  if (otherwise)
    return {
      value: otherwise.replaceAll('_', ''),
      range: `${min} to ${max.replaceAll('_', ',')}`,
    }
  const [, words] =
    new RegExp(`readWord\\(env, '${name}', \\[([^\\]]+)\\]`).exec(source) ?? []
  const known = words?.match(/\w+/g)
  return known
    ? { value: known[0], range: known.map((word) => `\`${word}\``).join(', ') }
    : {}
}

/** Calls on one line, however they are formatted. */
const toCalls = (source) =>
  source
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=[([]) | (?=[)\]])/g, '')
    .replaceAll(/,(?=[)\]])/g, '')

const toUnit = (name) => units[name.split('_').at(-1)] ?? ''

const amount = (value) =>
  value === Number.POSITIVE_INFINITY ? 'none' : value.toLocaleString('en')

function limitUnit(name) {
  const [, unit] = /(Bytes|Seconds|Days|Length)/.exec(name) ?? []
  const [, per] = /Per(Second|Minute|Hour)$/.exec(name) ?? []
  if (per) return `${unit ? `${unit.toLowerCase()} ` : ''}per ${per.toLowerCase()}`
  return unit === 'Length' ? 'characters' : (unit?.toLowerCase() ?? 'number')
}
