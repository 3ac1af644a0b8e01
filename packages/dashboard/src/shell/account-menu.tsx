// The account's menu: account page, theme, language, on a phone help, sign out.
import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { clientFor } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { IconUser } from '../icons/icons.tsx'
import { notifyFailed } from '../parts/notify.ts'
import { language } from '../texts/in-language.ts'
import { texts } from '../texts/texts.ts'
import { HelpItems } from './help-menu.tsx'
import { chooseLanguage, languages } from './languages.ts'

const schemes = ['light', 'dark', 'auto'] as const

export function AccountMenu() {
  const { data } = useQuery(sessionQuery)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const isPhone = useMediaQuery('(max-width: 48em)')
  const signOut = async () => {
    await clientFor().platform.endSession()
    queries.clear()
    await navigate({ to: '/', ignoreBlocker: true })
  }
  return (
    <Menu position="bottom-end" width={220} withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size="lg"
          radius="xl"
          aria-label={texts.shell.account}
        >
          <IconUser size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="foreign">{data?.account.email}</Menu.Label>
        <Menu.Item component={Link} to="/account">
          {texts.shell.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{texts.shell.theme}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.RadioItem
            key={scheme}
            value={scheme}
            checked={scheme === colorScheme}
            onChange={() => setColorScheme(scheme)}
            closeMenuOnClick
          >
            {texts.shell.scheme[scheme]}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        <Menu.Label>{texts.shell.language}</Menu.Label>
        {languages.map(([tag, name]) => (
          <Menu.RadioItem
            key={tag}
            value={tag}
            checked={tag === language}
            onChange={chooseLanguage}
            closeMenuOnClick
            lang={tag}
          >
            {name}
          </Menu.RadioItem>
        ))}
        {isPhone && (
          <>
            <Menu.Divider />
            <Menu.Label>{texts.shell.help.title}</Menu.Label>
            <HelpItems />
          </>
        )}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut().catch(notifyFailed)}>
          {texts.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
