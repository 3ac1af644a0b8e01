// A menu of the workspaces, if the account has several. The navigation names the current one.
import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery, useMembership } from '../api/session.ts'
import { texts } from '../texts/texts.ts'

export function WorkspaceMenu() {
  const navigate = useNavigate()
  const current = useMembership()
  const { data } = useQuery(sessionQuery)
  const workspaces = data?.workspaces ?? []
  if (workspaces.length < 2) return null
  return (
    <Menu position="bottom-start" withinPortal={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          aria-label={texts.common.labelled(
            current?.name ?? '',
            texts.shell.switchWorkspace,
          )}
        >
          <span className="one-line">{current?.name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflow: 'auto' }}>
        {workspaces.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() =>
              void navigate({ to: '/w/$workspaceId', params: { workspaceId: id } })
            }
          >
            <span className="foreign">{name}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
