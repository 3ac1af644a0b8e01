import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/session.ts'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

export function AccountPage() {
  const session = useQuery(sessionQuery)
  return (
    <Page title={texts.account.title}>
      <Loaded query={session}>{({ account }) => <p className="foreign">{account.email}</p>}</Loaded>
    </Page>
  )
}
