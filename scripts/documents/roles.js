// Generates the table of docs/roles.md: the permissions of each role, as the server checks them.
import { may, permissions, roles } from '../../packages/contract/dist/index.js'
import { readSource, table } from './marked.js'

/** The doc comment above each permission; permissions below one without a comment share it. */
function listTexts() {
  const source = readSource('packages/contract/src/permissions.ts')
  const entry = /(?:\/\*\*([^/]*?)\*\/\s*)?'(\w+\.\w+)':/g
  return new Map(
    [...source.matchAll(entry)].map(([, comment = '', name]) => [
      name,
      comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim(),
    ]),
  )
}

export function roleTable() {
  const texts = listTexts()
  const names = /** @type {(keyof typeof permissions)[]} */ (Object.keys(permissions))
  return table(
    ['Permission', ...roles, 'Meaning'],
    names.map((name) => [
      `\`${name}\``,
      ...roles.map((role) => (may(role, name) ? '✓' : '')),
      texts.get(name) ?? '',
    ]),
  )
}
