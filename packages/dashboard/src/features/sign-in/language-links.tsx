// The languages of the dashboard, each by its own name, for people without an account's menu.
import { Anchor, Group } from '@mantine/core'
import { chooseLanguage, languages } from '../../shell/languages.ts'
import { language } from '../../texts/in-language.ts'
import { texts } from '../../texts/texts.ts'

export const LanguageLinks = () => (
  <Group role="group" aria-label={texts.shell.language} justify="center" gap="xs">
    {languages.map(([tag, name]) => (
      <Anchor
        key={tag}
        component="button"
        type="button"
        size="xs"
        lang={tag}
        aria-pressed={tag === language}
        c={tag === language ? 'inherit' : 'dimmed'}
        onClick={() => chooseLanguage(tag)}
      >
        {name}
      </Anchor>
    ))}
  </Group>
)
