// Converts definitions of the official SDK to the bodies that publish them, as the official command line
// does.
import type { NewIntegration, NewInterface } from './built-packages.ts'

type Json = Record<string, unknown>
type Named<Value> = Record<string, Value>

interface Transforms {
  toJSONSchema?: (schema: unknown, options?: object) => Json
  toJSONSchemaLegacy?: (schema: unknown, options?: object) => Json
}
/** The SDK; its versions export the conversion in different places. */
export interface Sdk {
  transforms?: Transforms
  z?: { transforms?: Transforms }
}

interface Schema {
  schema: { toJSONSchema?: () => Json; toJsonSchema?: () => Json }
  ui?: Named<{ title?: string; examples?: unknown[] } | undefined>
}
interface Configuration extends Schema {
  title?: string
  description?: string
  identifier?: { required?: boolean; linkTemplateScript?: string }
}

/** The fields of an integration's or an interface's definition that are published. */
export interface Definition {
  name: string
  version: string
  title?: string
  description?: string
  icon?: string
  readme?: string
  attributes?: Named<string>
  metadata?: { sdkVersion?: string }
  maxExecutionTime?: number
  identifier?: { extractScript?: string; fallbackHandlerScript?: string }
  sandbox?: { identifierExtractScript?: string; messageExtractScript?: string }
  configuration?: Configuration
  configurations?: Named<Configuration>
  events?: Named<Schema>
  actions?: Named<{ input: Schema; output: Schema }>
  channels?: Named<{ messages?: Named<Schema> }>
  states?: Named<Schema & { type: 'conversation' | 'user' | 'integration' }>
  entities?: Named<Schema>
  user?: NewIntegration['user']
  secrets?: Named<{ optional?: boolean; description?: string }>
  interfaces?: NewIntegration['interfaces']
  __advanced?: {
    esbuild?: object
    extraOperations?: NewIntegration['extraOperations']
    useLegacyZuiTransformer?: boolean
  }
}

export type Files = (
  path: string | undefined,
  encoding: 'utf8' | 'base64',
) => string | undefined

const mapValues = <From, To>(
  all: Named<From> | undefined,
  change: (one: From) => To,
): Named<To> =>
  Object.fromEntries(Object.entries(all ?? {}).map(([name, one]) => [name, change(one)]))

/** Returns the conversions of the parts that integrations and interfaces have. */
function chooseConverter(sdk: Sdk, isLegacy = false) {
  const { toJSONSchema, toJSONSchemaLegacy } = sdk.transforms ?? sdk.z?.transforms ?? {}
  const convert = ({ schema }: Schema): Json => {
    if (isLegacy && toJSONSchemaLegacy)
      return toJSONSchemaLegacy(schema, { target: 'jsonSchema7' })
    if (toJSONSchema) return toJSONSchema(schema)
    return (schema.toJsonSchema ?? schema.toJSONSchema)!.call(schema)
  }
  const withSchema = <One extends Schema>(one: One) => {
    const schema = convert(one)
    const properties = (schema.properties ?? {}) as Named<Json>
    for (const [name, shown] of Object.entries(one.ui ?? {})) {
      if (!Object.hasOwn(properties, name)) continue
      if (shown?.title) properties[name]!.title = shown.title
      if (shown?.examples) properties[name]!.examples = shown.examples
    }
    return { ...one, schema }
  }
  return {
    withSchema,
    toParts: ({ events, actions, channels, entities }: Definition) => ({
      events: mapValues(events, withSchema),
      actions: mapValues(actions, (one) => ({
        ...one,
        input: withSchema(one.input),
        output: withSchema(one.output),
      })),
      channels: mapValues(channels, (one) => ({
        ...one,
        messages: mapValues(one.messages, withSchema),
      })),
      entities: mapValues(entities, withSchema),
    }),
  }
}

const toPresentation = (definition: Definition, files: Files) => ({
  name: definition.name,
  version: definition.version,
  title: definition.title,
  description: definition.description,
  attributes: definition.attributes,
  sdkVersion: definition.metadata?.sdkVersion,
  icon: files(definition.icon, 'base64'),
  readme: files(definition.readme, 'base64'),
})

export function toInterfaceBody(
  sdk: Sdk,
  definition: Definition,
  files: Files,
): NewInterface {
  const { toParts } = chooseConverter(sdk, definition.__advanced?.useLegacyZuiTransformer)
  return withoutUndefined({
    ...toPresentation(definition, files),
    ...toParts(definition),
  })
}

/** Scripts are in files. */
export function toIntegrationBody(
  sdk: Sdk,
  definition: Definition,
  files: Files,
): Omit<NewIntegration, 'code'> {
  const { identifier, sandbox, configuration, configurations, states, user, interfaces } =
    definition
  const { withSchema, toParts } = chooseConverter(
    sdk,
    definition.__advanced?.useLegacyZuiTransformer,
  )
  const toConfiguration = (one: Configuration) => ({
    title: one.title,
    description: one.description,
    schema: withSchema(one).schema,
    identifier: {
      required: one.identifier?.required ?? false,
      linkTemplateScript: files(one.identifier?.linkTemplateScript, 'utf8'),
    },
  })
  return withoutUndefined({
    ...toPresentation(definition, files),
    ...toParts(definition),
    identifier: mapValues(identifier as Named<string>, (path) => files(path, 'utf8')),
    sandbox:
      sandbox && mapValues(sandbox as Named<string>, (path) => files(path, 'utf8')),
    configuration: configuration && toConfiguration(configuration),
    configurations: mapValues(configurations, toConfiguration),
    states: mapValues(states, withSchema),
    user,
    interfaces,
    maxExecutionTime: definition.maxExecutionTime,
    extraOperations: definition.__advanced?.extraOperations,
  })
}

/** As in JSON, which has no undefined. */
const withoutUndefined = <Value>(value: object) =>
  JSON.parse(JSON.stringify(value)) as Value
