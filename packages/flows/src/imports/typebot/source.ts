// Files of Typebot in one form: groups of blocks, with the target of each. Version 6 has events; versions 3
// to 5 have a group with the start; before, groups were `blocks` and blocks were `steps`, in tables by id.
import { ImportError } from '../import-error.ts'
import {
  entriesIn,
  isObject,
  type Json,
  listIn,
  objectsIn,
  textIn,
  valueIn,
} from '../reading.ts'

export interface Block {
  id: string
  type: string
  raw: Json
  options: Json
  /** Choices, conditions or paths. */
  items: Item[]
  target: string | undefined
}

export interface Item {
  id: string
  raw: Json
  target: string | undefined
}

export interface Group {
  id: string
  title: string
  position: { x: number; y: number } | undefined
  blocks: Block[]
}

interface TypebotFile {
  version: string
  name: string
  groups: Group[]
  variables: { id: string; name: string }[]
  /** Id of the first group or block. */
  start: string | undefined
  /** Events other than the start. */
  otherEvents: Json[]
}

export const isTypebot = (value: unknown): boolean =>
  isObject(value) &&
  valueIn(value, 'edges') !== undefined &&
  valueIn(value, 'variables') !== undefined &&
  (Array.isArray(value.groups) || valueIn(value, 'blocks') !== undefined)

/** The oldest files have no edges, but `steps`. */
export const isOldestTypebot = (value: unknown): boolean =>
  isObject(valueIn(value, 'steps', 'byId')) && isObject(valueIn(value, 'blocks', 'byId'))

/** Returns the rows of a list, or of a table by id. */
function rowsIn(value: unknown, name: string): Json[] {
  if (Array.isArray(valueIn(value, name))) return objectsIn(value, name)
  return entriesIn(value, name, 'byId').flatMap(([, row]) => (isObject(row) ? [row] : []))
}

const toTarget = (to: unknown): string | undefined =>
  textIn(to, 'blockId') && textIn(to, 'groupId')
    ? textIn(to, 'blockId')
    : textIn(to, 'stepId') || textIn(to, 'groupId') || textIn(to, 'blockId') || undefined

/** Finds the target of a block, an item or an event by its edge. */
type FindTarget = (owner: Json) => string | undefined

function openTargets(file: Json): FindTarget {
  const edges = rowsIn(file, 'edges')
  const byId = new Map(
    edges.map((edge) => [textIn(edge, 'id'), toTarget(valueIn(edge, 'to'))]),
  )
  return (owner) => {
    const edge = textIn(owner, 'outgoingEdgeId') || textIn(owner, 'edgeId')
    return edge ? byId.get(edge) : toTarget(valueIn(owner, 'target'))
  }
}

/** The latest known version. */
const maxVersion = 6

/** Versions are `3` or `6.1`. */
function checkVersion(version: string): void {
  const major = Number(/^(\d{1,3})(?:\.\d+)*$/.exec(version)?.[1] ?? Number.NaN)
  if (version !== '' && !(major <= maxVersion))
    throw new ImportError(
      'unknownVersion',
      `The file has the version "${version.slice(0, 50)}" of Typebot. Versions up to ${maxVersion} can be ` +
        'imported: export the bot with such a version',
    )
}

/** Throws ImportError for a file of a later version. */
export function readTypebot(file: Json): TypebotFile {
  checkVersion(textIn(file, 'version'))
  const find = openTargets(file)
  const steps = new Map(rowsIn(file, 'steps').map((step) => [textIn(step, 'id'), step]))
  const isOld = !Array.isArray(file.groups)
  const groups = rowsIn(file, isOld ? 'blocks' : 'groups').map((group) => {
    const blocks: Json[] =
      steps.size > 0
        ? listIn(group, 'stepIds').flatMap((id): Json[] => {
            const step = steps.get(String(id))
            return step ? [step] : []
          })
        : objectsIn(group, isOld ? 'steps' : 'blocks')
    return toGroup(file, group, blocks, find)
  })
  const events = objectsIn(file, 'events')
  const startEvent = events.find((event) => textIn(event, 'type') === 'start')
  const startBlock = groups
    .flatMap(({ blocks }) => blocks)
    .find(({ type }) => type === 'start')
  return {
    version: textIn(file, 'version') || (isOld ? '1' : '3'),
    name: textIn(file, 'name'),
    groups: groups
      .map((group) => ({
        ...group,
        blocks: group.blocks.filter(({ type }) => type !== 'start'),
      }))
      .filter(({ blocks }) => blocks.length > 0),
    variables: rowsIn(file, 'variables').map((one) => ({
      id: textIn(one, 'id'),
      name: textIn(one, 'name'),
    })),
    start: startEvent ? find(startEvent) : startBlock?.target,
    otherEvents: events.filter((event) => event !== startEvent),
  }
}

function toGroup(file: Json, group: Json, blocks: Json[], find: FindTarget): Group {
  const { x, y } = (valueIn(group, 'graphCoordinates') ?? {}) as {
    x?: unknown
    y?: unknown
  }
  return {
    id: textIn(group, 'id'),
    title: textIn(group, 'title'),
    position: typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined,
    blocks: blocks.map((block) => toBlock(file, block, find)),
  }
}

function toBlock(file: Json, block: Json, find: FindTarget): Block {
  const options = valueIn(block, 'options')
  const [isTrue, isFalse] = [
    toTarget(valueIn(block, 'trueTarget')),
    toTarget(valueIn(block, 'falseTarget')),
  ]
  const oldItems = listIn(options, 'itemIds').flatMap((id) => {
    const item = valueIn(file, 'choiceItems', 'byId', String(id))
    return isObject(item) ? [item] : []
  })
  const items = [...objectsIn(block, 'items'), ...oldItems].map((raw) => ({
    id: textIn(raw, 'id'),
    raw,
    target: find(raw),
  }))
  // The oldest conditions have no items.
  if (textIn(block, 'type') === 'Condition' && items.length === 0) {
    const content = { ...(options as Json), comparisons: rowsIn(options, 'comparisons') }
    items.push({ id: textIn(block, 'id'), raw: { content }, target: isTrue })
  }
  return {
    id: textIn(block, 'id'),
    type: textIn(block, 'type'),
    raw: block,
    options: isObject(options) ? options : {},
    items,
    target: find(block) ?? isFalse,
  }
}
