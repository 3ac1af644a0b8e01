// Names of flows, variables, columns and tables from words that people write.

/** Names that objects have by themselves: code would read them in place of a variable. */
const isInherited = (name: string) => name in Object.prototype

const toWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’-]+/gu, '')
    .replaceAll('ß', 'ss')
    .match(/[A-Za-z0-9]+/g) ?? []

/** Returns an identifier: `Company size` is `companySize`. Without Latin letters, it is the fallback. */
export function toName(text: string, fallback: string): string {
  const [first = '', ...others] = toWords(text)
  const joined =
    first.toLowerCase() +
    others.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  const name = joined.replace(/^[0-9]+/, '').slice(0, 30)
  return name === '' || isInherited(name) ? fallback : name
}

/** Returns the first name that is not taken: `step`, `step2`, `step3`. Adds it to the taken ones. */
export function takeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
  taken.add(name)
  return name
}

/** Returns the name of a table, which ends in `Table`. Empty for a text without Latin letters. */
export function toTableName(text: string): string {
  const name = toName(text.trim().replace(/Table$/, ''), '')
  return name === '' ? '' : `${name[0]!.toUpperCase()}${name.slice(1)}Table`
}
