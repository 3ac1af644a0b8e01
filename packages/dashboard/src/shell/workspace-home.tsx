// `/w/<workspace>`: the first page that the role may open.
import { Navigate, useParams } from '@tanstack/react-router'
import { useMay } from '../api/session.ts'

export function WorkspaceHome() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' })
  const may = useMay()
  const other = may('usage.read') ? 'usage' : 'tokens'
  const page = may('bots.list') ? 'bots' : other
  return <Navigate to={`/w/$workspaceId/${page}`} params={{ workspaceId }} replace />
}
