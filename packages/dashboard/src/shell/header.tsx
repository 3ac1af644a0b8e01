// The header of all pages: the way home, further content, help, and the account's menu.
import { AppShell, Group, Image } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import mark from 'page/favicon.svg?inline'
import type { ReactNode } from 'react'
import { texts } from '../texts/texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { HelpMenu } from './help-menu.tsx'

export const headerHeight = 56

interface HeaderProps {
  /** Before the way home. */
  menu?: ReactNode
  /** Beside help and the account's menu. */
  actions?: ReactNode
  children: ReactNode
}

export function Header({ menu, actions, children }: HeaderProps) {
  return (
    <AppShell.Header bg="var(--surface)" px="md">
      <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
        <Group gap="xs" wrap="nowrap" miw={0}>
          {menu}
          <Link to="/" className="product">
            <Image src={mark} alt="" w={28} h={28} />
            <span className="product-name">{texts.shell.product}</span>
          </Link>
          {children}
        </Group>
        <Group gap="xs" wrap="nowrap">
          {actions}
          <HelpMenu />
          <AccountMenu />
        </Group>
      </Group>
    </AppShell.Header>
  )
}
