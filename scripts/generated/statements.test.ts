import { expect, test } from 'vitest'
import { formatSql } from './sql.js'
import { rejectFaults, toText } from './statements.js'

test('indents by parentheses and clauses', () => {
  const text = `
    with input as (
      select *
      from lane l where l.key = any($1)
    and (l.owner is null or exists (select from worker w
        where w.id = l.owner)) -- a comment (
    ),

    held as (
        select 'a (' as text from input
  )
    select text from held`
  expect(formatSql(text)).toBe(`with input as (
  select *
  from lane l where l.key = any($1)
    and (l.owner is null or exists (select from worker w
      where w.id = l.owner)) -- a comment (
),
held as (
  select 'a (' as text from input
)
select text from held`)
})

test('rejects a line break within a text, which an indentation would change', () => {
  expect(() => formatSql("select 'a\n  b'")).toThrow('has a line break')
})

test('rejects a name of two statements, and parameters without a name', () => {
  const find = { file: 'core/a.ts', name: 'find', text: 'select $1', parameters: ['id'] }
  rejectFaults([find])
  expect(() => rejectFaults([find, find])).toThrow('Two statements have the name "find"')
  expect(() => rejectFaults([{ ...find, text: 'select $1, $2' }])).toThrow(
    'without a name',
  )
})

test('lists statements by file, with the names of their parameters', () => {
  const one = { file: 'core/b.ts', name: 'find-b', text: 'select $1', parameters: ['id'] }
  const two = { file: 'core/a.ts', name: 'find-a', text: 'select 1', parameters: [] }
  const sections = toText([one, two]).split(/-- -+\n/)
  expect(sections.slice(1)).toEqual([
    '-- core/a.ts\n\n-- find-a\nselect 1;\n\n',
    '-- core/b.ts\n\n-- find-b\n--   $1 id\nselect $1;\n',
  ])
})
