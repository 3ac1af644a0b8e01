// Assembles the templates of `botstead new` in packages/cli/dist/templates: their own files in
// packages/cli/templates, and those of the example that a template is made of.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFolder, root } from '../build/files.js'

const outdir = join(root, 'packages/cli/dist/templates')

/** Paths in the example, by their paths in the template. */
const fromExamples = {
  faq: { 'faq-bot': { tests: 'tests', knowledge: 'knowledge' } },
  agent: {
    'support-bot': {
      tests: 'tests',
      recordings: 'recordings',
      'knowledge/shop/delivery.md': 'knowledge/delivery.md',
    },
  },
}

/** Editors read the format of the document from the server. */
const schema = '{\n  "$schema": "http://127.0.0.1:4000/v1/schemas/bot.json",'

export const assembleTemplates = () =>
  replaceFolder(outdir, (next) => {
    cpSync(join(root, 'packages/cli/templates'), next, { recursive: true })
    for (const [template, examples] of Object.entries(fromExamples))
      for (const [example, paths] of Object.entries(examples))
        copyExample(join(root, 'examples', example), join(next, template), paths)
  })

function copyExample(from, to, paths) {
  const document = readFileSync(join(from, 'bot.json'), 'utf8')
  writeFileSync(join(to, 'bot.json'), document.replace('{', schema))
  for (const [path, source] of Object.entries(paths)) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(from, source), join(to, path), { recursive: true })
  }
}
