// Renders Markdown as GitHub does: the same anchors, links between files, and double braces as text.
// Colours of code are classes, because the policy of the pages permits no styles in attributes.
import { posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCssVariablesTheme, type ShikiTransformer } from 'shiki'
import type { MarkdownOptions, MarkdownRenderer } from 'vitepress'
import { resolveLink } from './links.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const markdown: MarkdownOptions = {
  theme: createCssVariablesTheme({ variablePrefix: '--code-' }),
  codeTransformers: [toClasses()],
  languageAlias: { haproxy: 'txt' },
  anchor: { slugify },
  component: false,
  emoji: false,
  footnote: false,
  eagerFrontmatterInterpolation: false,
  config(renderer) {
    linkFiles(renderer)
    clearEmptyHeads(renderer)
    keepBraces(renderer)
  },
}

/** Returns the anchor of a heading as GitHub does. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns the path in the repository of the rendered file. */
export const toSource = ({ realPath, path }: { realPath?: string; path: string }) =>
  relative(root, realPath ?? path)
    .split(sep)
    .join(posix.sep)

function linkFiles({ renderer }: MarkdownRenderer) {
  const openLink = renderer.rules.link_open!
  renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index]!
    const target = resolveLink(token.attrGet('href') ?? '#', toSource(env))
    if (!target) return openLink(tokens, index, options, env, self)
    const [url, anchor] = target.url.split('#') as [string, string?]
    token.attrSet('href', url)
    if (target.inside) {
      // Adds the base and checks the page. Would change anchors to lower case.
      openLink(tokens, index, options, env, self)
      if (anchor) token.attrSet('href', `${token.attrGet('href')}#${anchor}`)
    } else token.attrSet('target', '_self')
    return self.renderToken(tokens, index, options)
  }
}

/** Tables without a head have empty cells there. */
function clearEmptyHeads({ core }: MarkdownRenderer) {
  core.ruler.push('empty_heads', ({ tokens }) => {
    tokens.forEach((token, i) => {
      if (token.type !== 'th_open' || tokens[i + 1]?.content) return
      token.tag = 'td'
      tokens[i + 2]!.tag = 'td'
    })
  })
}

/** Vue would evaluate them. */
function keepBraces({ renderer }: MarkdownRenderer) {
  for (const name of ['text', 'code_inline'] as const) {
    const render = renderer.rules[name]!
    renderer.rules[name] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
  }
}

/** Replaces each colour by a class: `color:var(--code-token-string)` by `code-token-string`. */
function toClasses(): ShikiTransformer {
  return {
    name: 'classes',
    pre(node) {
      delete node.properties.style
    },
    span(node) {
      const [, name] = /var\(--(code-[\w-]+)\)/.exec(String(node.properties.style)) ?? []
      delete node.properties.style
      if (name && name !== 'code-foreground') node.properties.class = name
    },
  }
}
