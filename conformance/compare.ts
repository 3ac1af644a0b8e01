// Compares the schemas of two operations. Botstead may accept more requests than the external API,
// but may not return more than the external document permits.
// So our schema is the wide side for requests, and theirs for responses.
import { isDeepStrictEqual } from 'node:util'
import { describeShape } from './describe-shape.ts'
import {
  type Alternative,
  type Json,
  type NumberShape,
  normalize,
  type ObjectShape,
  resolve,
  type Shape,
  type StringShape,
} from './normalize.ts'

/** An operation and the document that resolves its references. */
export interface Described {
  operation: Json
  document: Json
}

export interface Difference {
  /** `body.tags.*`, `query.nextToken`, `response.messages[].payload`, `status` … */
  path: string
  ours: string
  theirs: string
}

interface Comparison {
  differences: Difference[]
  /** True if the operations are compatible in both directions. */
  equal: boolean
}

export function compareOperations(ours: Described, theirs: Described): Comparison {
  const differences = [
    ...requestDifferences(ours, theirs, [{ type: 'any' }]),
    ...responseDifferences(ours, theirs),
    ...absences(toResponse(ours).shape, toResponse(theirs).shape, 'response'),
    ...failureDifferences(ours, theirs),
    ...stabilityDifferences(ours, theirs),
  ]
  const reverse = () => [
    ...requestDifferences(theirs, ours, null),
    ...responseDifferences(theirs, ours),
  ]
  return { differences, equal: differences.length === 0 && reverse().length === 0 }
}

interface Gap {
  path: string
  wide: string
  narrow: string
}

/**
 * Returns the paths at which `narrow` permits values that `wide` does not. Empty if `wide` includes
 * `narrow`.
 */
export function gaps(wide: Shape, narrow: Shape, path: string): Gap[] {
  return narrow.flatMap((alternative) => {
    const attempts = wide
      .filter((one) => alike(one, alternative))
      .map((one) => alternativeGaps(one, alternative, path))
    const [best] = attempts.sort((a, b) => a.length - b.length)
    return (
      best ?? [{ path, wide: describeShape(wide), narrow: describeShape([alternative]) }]
    )
  })
}

/**
 * `unnamed` is the shape of parameters that ours does not declare. The server ignores them, so it
 * is `any`; null reports them as differences.
 */
function requestDifferences(
  ours: Described,
  theirs: Described,
  unnamed: Shape | null,
): Difference[] {
  const parameters = (['path', 'query', 'header'] as const).flatMap((location) => {
    const sent = listParameters(theirs, location)
    return gaps(
      [{ type: 'object', properties: listParameters(ours, location), rest: unnamed }],
      [{ type: 'object', properties: sent, rest: null }],
      location,
    )
  })
  return [...parameters, ...gaps(toBody(ours), toBody(theirs), 'body')].map(
    ({ path, wide, narrow }) => ({
      path,
      ours: wide,
      theirs: narrow,
    }),
  )
}

function responseDifferences(ours: Described, theirs: Described): Difference[] {
  const [we, they] = [toResponse(ours), toResponse(theirs)]
  const head = (['status', 'type'] as const)
    .filter((key) => we[key] !== they[key])
    .map((path) => ({ path, ours: we[path], theirs: they[path] }))
  if (they.type !== we.type) return head
  return [
    ...head,
    ...gaps(they.shape, we.shape, 'response').map(({ path, wide, narrow }) => ({
      path,
      ours: narrow,
      theirs: wide,
    })),
  ]
}

function stabilityDifferences(ours: Described, theirs: Described): Difference[] {
  const [we, they] = [ours, theirs].map(({ operation }) =>
    ((operation.tags ?? []) as string[]).includes('experimental')
      ? 'experimental'
      : 'documented',
  ) as [string, string]
  return we === they ? [] : [{ path: 'tags', ours: we, theirs: they }]
}

/** Returns optional properties of their responses that ours never have. Clients may read them. */
function absences(ours: Shape, theirs: Shape, path: string): Difference[] {
  const found = theirs.flatMap((they) => {
    const here = ours.filter((we) => alike(they, we))
    if (they.type === 'array')
      return absences(
        here.flatMap((we) => (we.type === 'array' ? we.items : [])),
        they.items,
        `${path}[]`,
      )
    const objects = here.filter((we) => we.type === 'object')
    if (they.type !== 'object' || objects.length === 0) return []
    return [...they.properties].flatMap(([name, { shape, required }]) => {
      const known = objects.flatMap(
        ({ properties, rest }) => properties.get(name)?.shape ?? rest ?? [],
      )
      if (known.length > 0) return absences(known, shape, `${path}.${name}`)
      return required
        ? []
        : [{ path: `${path}.${name}`, ours: 'absent', theirs: 'optional' }]
    })
  })
  return [...new Map(found.map((one) => [one.path, one])).values()]
}

/**
 * Checks whether the operation describes an error response. In most, `default` repeats the success
 * response.
 */
export const describesFailures = (theirs: Described): boolean =>
  listFailures(theirs).length > 0

function listFailures({
  operation,
  document,
}: Described): { status: string; shape: Shape }[] {
  const all = Object.entries(operation.responses as Record<string, Json>)
  const toContent = (response: Json) =>
    (follow(response, document).content ?? {}) as Record<string, Json>
  const success = toContent(all.find(([status]) => status.startsWith('2'))![1])
  return all
    .filter(
      ([status, response]) =>
        !status.startsWith('2') && !isDeepStrictEqual(toContent(response), success),
    )
    .map(([status, response]) => ({
      status,
      shape: normalize(toContent(response)['application/json']?.schema, document),
    }))
}

/**
 * Compares each of our error responses with theirs of the same status, or else with their default.
 */
function failureDifferences(ours: Described, theirs: Described): Difference[] {
  const they = new Map(listFailures(theirs).map(({ status, shape }) => [status, shape]))
  return listFailures(ours).flatMap(({ status, shape }) => {
    const promised = they.get(status) ?? they.get('default')
    if (!promised) return []
    return gaps(promised, shape, `failure.${status}`).map(({ path, wide, narrow }) => ({
      path,
      ours: narrow,
      theirs: wide,
    }))
  })
}

function listParameters(
  { operation, document }: Described,
  location: string,
): ObjectShape['properties'] {
  const parameters = ((operation.parameters ?? []) as Json[])
    .map((one) => follow(one, document))
    .filter((one) => one.in === location)
  const entry = (one: Json) =>
    [
      toName(one, location),
      { required: one.required === true, shape: normalize(one.schema, document) },
    ] as const
  return new Map(parameters.map(entry))
}

const toName = (parameter: Json, location: string) =>
  location === 'header' ? String(parameter.name).toLowerCase() : String(parameter.name)

/** Ignores whether a body is required, because clients send `{}` instead of no body. */
function toBody({ operation, document }: Described): Shape {
  if (!operation.requestBody)
    return [{ type: 'object', properties: new Map(), rest: null }]
  const { content } = follow(operation.requestBody as Json, document) as {
    content: Record<string, Json>
  }
  return normalize(content['application/json']?.schema, document)
}

/** Returns the success response, which the external documents repeat as `default`. */
function toResponse({ operation, document }: Described) {
  const [status, response] = Object.entries(
    operation.responses as Record<string, Json>,
  ).find(([code]) => code.startsWith('2'))!
  const [type, { schema }] = Object.entries(
    follow(response, document).content as Record<string, Json>,
  )[0] as [string, Json]
  return { status, type, shape: normalize(schema, document) }
}

const follow = (node: Json, document: Json): Json =>
  typeof node.$ref === 'string' ? (resolve(node.$ref, document) as Json) : node

function alternativeGaps(wide: Alternative, narrow: Alternative, path: string): Gap[] {
  if (wide.type === 'any' || narrow.type === 'any')
    return wide.type === narrow.type || wide.type === 'any'
      ? []
      : [gap(path, wide, narrow)]
  if (wide.type === 'array' && narrow.type === 'array')
    return [
      ...sizeGaps(wide, narrow, path),
      ...gaps(wide.items, narrow.items, `${path}[]`),
    ]
  if (wide.type === 'object' && narrow.type === 'object')
    return objectGaps(wide, narrow, path)
  return scalarFits(wide, narrow) ? [] : [gap(path, wide, narrow)]
}

/**
 * Checks whether two alternatives are comparable: of one type and, in a union, with the same
 * constants.
 */
function alike(wide: Alternative, narrow: Alternative): boolean {
  if (wide.type !== 'object' || narrow.type !== 'object')
    return wide.type === 'any' || wide.type === narrow.type
  return [...wide.properties].every(
    ([
      name,
      {
        shape: [first],
      },
    ]) => {
      const other = narrow.properties.get(name)?.shape[0]
      const constant =
        first &&
        'values' in first &&
        first.values?.length === 1 &&
        other &&
        'values' in other &&
        other.values?.length === 1
      return !constant || scalarFits(first, other)
    },
  )
}

const gap = (path: string, wide: Alternative, narrow: Alternative): Gap => ({
  path,
  wide: describeShape([wide]),
  narrow: describeShape([narrow]),
})

function sizeGaps(
  wide: Alternative & { type: 'array' },
  narrow: Alternative & { type: 'array' },
  path: string,
): Gap[] {
  return wide.minItems <= narrow.minItems && wide.maxItems >= narrow.maxItems
    ? []
    : [gap(path, wide, narrow)]
}

function objectGaps(wide: ObjectShape, narrow: ObjectShape, path: string): Gap[] {
  const named = [...narrow.properties].flatMap(([name, { shape }]) => {
    const allowed = wide.properties.get(name)?.shape ?? wide.rest
    return allowed
      ? gaps(allowed, shape, `${path}.${name}`)
      : [{ path: `${path}.${name}`, wide: 'unknown', narrow: describeShape(shape) }]
  })
  const missing = [...wide.properties]
    .filter(([name, { required }]) => required && !narrow.properties.get(name)?.required)
    .map(([name]) => ({
      path: `${path}.${name}`,
      wide: 'required',
      narrow: narrow.properties.has(name) ? 'optional' : 'absent',
    }))
  return [...named, ...missing, ...restGaps(wide, narrow, path)]
}

/** Compares the properties that `narrow` does not name: `wide` must permit all of them. */
function restGaps(wide: ObjectShape, narrow: ObjectShape, path: string): Gap[] {
  const { rest } = narrow
  if (rest === null) return []
  const stricter = [...wide.properties]
    .filter(([name]) => !narrow.properties.has(name))
    .flatMap(([name, { shape }]) => gaps(shape, rest, `${path}.${name}`))
  return [
    ...stricter,
    ...(wide.rest
      ? gaps(wide.rest, rest, `${path}.*`)
      : [{ path: `${path}.*`, wide: 'none', narrow: describeShape(rest) }]),
  ]
}

function scalarFits(wide: Alternative, narrow: Alternative): boolean {
  if ('values' in narrow && narrow.values)
    return narrow.values.every((value) => valueFits(wide, value))
  if ('values' in wide && wide.values) return false
  if (wide.type === 'string' && narrow.type === 'string') return textFits(wide, narrow)
  if (wide.type === 'number' && narrow.type === 'number') return numberFits(wide, narrow)
  return wide.type === narrow.type
}

function valueFits(wide: Alternative, value: unknown): boolean {
  if ('values' in wide && wide.values) return wide.values.includes(value)
  if (wide.type === 'string')
    return textFits(wide, {
      type: 'string',
      minLength: String(value).length,
      maxLength: String(value).length,
      pattern: wide.pattern,
    })
  if (wide.type === 'number') {
    const number = Number(value)
    return numberFits(wide, {
      type: 'number',
      integer: Number.isInteger(number),
      minimum: number,
      maximum: number,
    })
  }
  return true
}

function textFits(wide: StringShape, narrow: StringShape): boolean {
  const sameRule = (key: 'pattern' | 'format') =>
    wide[key] === undefined || wide[key] === narrow[key]
  return (
    wide.minLength <= narrow.minLength &&
    wide.maxLength >= narrow.maxLength &&
    sameRule('pattern') &&
    sameRule('format')
  )
}

function numberFits(wide: NumberShape, narrow: NumberShape): boolean {
  return (
    wide.minimum <= narrow.minimum &&
    wide.maximum >= narrow.maximum &&
    (!wide.integer || narrow.integer)
  )
}
