/** Loads the library at the first use. Throws YAMLParseError. */
export const readYaml = async (text: string): Promise<unknown> =>
  (await import('./yaml.ts')).parse(text)
