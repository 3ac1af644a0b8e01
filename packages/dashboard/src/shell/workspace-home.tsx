// `/w/<workspace>`: the first page that the role may open.
import { Navigate, useParams } from '@tanstack/react-router'
import { useMay } from '../api/session.ts'

export function WorkspaceHome() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' })
  const page = useMay()('bots.read') ? 'bots' : 'tokens'
  return <Navigate to={`/w/$workspaceId/${page}`} params={{ workspaceId }} replace />
}
