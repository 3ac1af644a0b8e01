import type {
  archives as EnglishArchives,
  backups as EnglishBackups,
} from '../en/archives.ts'

export const archives: typeof EnglishArchives = {
  title: 'アーカイブ',
  list: 'ワークスペースのアーカイブ',
  hint:
    'アーカイブには、このワークスペースのすべて（ボット、会話、ファイル、テーブル、メンバー）が入ります。' +
    '別のサーバー環境にインポートすると、ワークスペースを移動またはコピーできます。',
  create: 'アーカイブを作成',
  createTitle: 'アーカイブを作成',
  withSecrets: 'シークレットも含める（パスフレーズで暗号化）',
  withoutSecretsHint:
    '含めない場合、シークレット、設定、ボットのバージョンはアーカイブに入りません。',
  passphrase: 'パスフレーズ',
  passphraseHint: '12文字以上。サーバーには保存されず、インポートするときに必要です。',
  start: '開始',
  empty: 'アーカイブはありません',
  emptyHint:
    'ワークスペースを移動するとき、またはコピーを保管するときに作成してください。',
  started: '開始日時',
  state: '状態',
  size: 'サイズ',
  actions: '操作',
  states: { running: '実行中', done: '完了', failed: '失敗' },
  progress: (percent: number) => `${percent}%`,
  progressOf: (file: string) => `「${file}」の進行状況`,
  by: (email: string) => `作成者: ${email}`,
  withoutSecrets: 'シークレットなし',
  download: 'ダウンロード',
  downloadOne: (file: string) => `「${file}」をダウンロード`,
  delete: '削除',
  deleteOne: (file: string) => `「${file}」を削除`,
  deleteText: '全員がこのファイルを使えなくなります。元に戻せません。',
  stop: '停止',
  stopOne: (file: string) => `「${file}」を停止`,
  stopText: '作成途中のファイルは削除されます。',
  import: 'インポート…',
  importHow:
    '最初のワークスペースのオーナーが、インポート先で「ボットを作成」>「アーカイブ」を開きます。' +
    'または、インポート先のクローンしたフォルダーで次を実行します:',
  importOne: (file: string) => `「${file}」をインポート`,
  importText: (workspace: string) =>
    'ファイルをダウンロードしてください。インポート先のサーバー環境で、最初のワークスペースのオーナーとして' +
    '「ボットを作成」>「アーカイブ」を開くか、インポート先のクローンしたフォルダーで次のコマンドを実行します。' +
    `ワークスペース「${workspace}」がすでにある環境にはインポートできません。`,
  importFirst:
    'どのサーバー環境も、最初の起動時に同じIDの最初のワークスペースを作成します。そのワークスペースのアーカイブを' +
    'インポートするには、最初の起動より前にコマンドを実行してください。',
  importPassphrase: 'passphrase.txtは、パスフレーズを書いたファイルです。',
}
export const backups: typeof EnglishBackups = {
  title: 'バックアップ',
  list: 'サーバー環境のバックアップ',
  hint:
    'バックアップには、ある時点のデータベースとすべてのファイルが入ります。サーバーを止める必要はありません。' +
    'キーは含まれないため、コピーを別の場所に保管してください。',
  lastSuccess: '最新のバックアップ',
  lastVerified: '検証済みの最新のバックアップ',
  next: '次回のバックアップ',
  notScheduled: '予定なし（BOTSTEAD_BACKUP_SCHEDULEで設定）',
  never: 'なし',
  failed: (time: string, reason: string) =>
    `${time}のバックアップに失敗しました: ${reason}`,
  overdue: 'バックアップが予定より遅れています。原因はサーバーのログを確認してください。',
  folder: 'バックアップの保存先:',
  keysFolder: 'キーの保存先:',
  create: '今すぐバックアップ',
  empty: 'バックアップはまだありません。',
  restore: '復元…',
  restoreOne: (file: string) => `「${file}」を復元`,
  restoreText:
    'ファイルのあるマシンの、クローンしたフォルダーで次のコマンドを実行してください。新しいデータフォルダーに復元されます。' +
    '現在のサーバー環境は変わりません。',
  keys: 'キーをコピー:',
  command: '復元:',
  restoreSettings:
    'このサーバー環境のキーは環境変数にあります。同じBOTSTEAD_MASTER_KEYとBOTSTEAD_CHAT_KEYを設定してください。',
  restoreDatabase:
    '自分のPostgreSQLに復元するには、空のデータベースをDATABASE_URLに設定してください。',
}
