// The front page: the entry points above the contents of docs/README.md.

import type { PageGroup } from './contents.ts'
import { slugify } from './markdown.ts'

const invitations: Record<string, string> = {
  Tutorials: 'Learn step by step: from the installation to a bot that answers.',
  'How-to guides': 'Reach a goal: build bots, talk to people, operate an installation.',
  Concepts: 'Understand delivery, security and scaling, and the reasons.',
  Reference: 'Look up operations, settings, limits and deviations.',
}

/** Returns the front matter of VitePress' home layout. */
export const home = (groups: PageGroup[]) => ({
  layout: 'home',
  hero: {
    name: 'Botstead',
    text: 'Documentation',
    tagline:
      'A bot platform on your own machine that speaks the HTTP API of Botpress Cloud',
    actions: [
      { text: 'Get started', link: '/getting-started', theme: 'brand' },
      { text: 'API reference', link: '/api/', theme: 'alt' },
    ],
  },
  features: groups.map(({ title }) => ({
    title,
    details: invitations[title],
    link: `#${slugify(title)}`,
  })),
})
