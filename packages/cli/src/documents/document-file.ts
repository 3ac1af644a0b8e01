// Names of files that are documents of bots: `bot.json`, `bot.yaml`.

const document = /\.(json|ya?ml)$/

export const isDocument = (path: string) => document.test(path)

export const isYaml = (path: string) => /\.ya?ml$/.test(path)

export const withoutExtension = (name: string) => name.replace(document, '')
