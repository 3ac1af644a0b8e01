// Indents SQL by its parentheses and clauses.

/** The beginning of a clause, or of a query in `with`; other lines continue one. */
const clause =
  /^(?:with|select|from|where|group by|order by|limit|having|union|insert into|values|update|set|delete from|using|returning|on conflict|join|left join|cross join|for|end)\b|^\w+ as (?:materialized )?\(/i

/**
 * Returns the statement with one indentation for each open parenthesis and for lines that continue a
 * clause. Keeps the lines, except empty ones. Throws for a line break within a text.
 */
export function formatSql(text) {
  let depth = 0
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines
    .map((line) => {
      const { before, change } = readLine(line)
      const continues = !clause.test(line) && !/^(?:\)|--)/.test(line)
      const level = depth - before + (continues ? 1 : 0)
      depth += change
      return '  '.repeat(level) + line
    })
    .join('\n')
}

/** Returns how many parentheses close before the first word, and by how many more are open after the line. */
function readLine(line) {
  const code = withoutTexts(line)
  const before = /^[)\s]*/.exec(code)[0].replaceAll(/\s/g, '').length
  return { before, change: code.split('(').length - code.split(')').length }
}

function withoutTexts(line) {
  const code = line.replaceAll(/'(?:[^']|'')*'|"[^"]*"/g, '').replace(/--.*/, '')
  if (code.includes("'"))
    throw new Error(`A text of a statement has a line break: ${line}`)
  return code
}
