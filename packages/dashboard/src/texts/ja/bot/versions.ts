import type { SavedVersion } from '@botstead/contract'
import type { versions as English } from '../../en/bot/versions.ts'
import { amount } from '../amount.ts'

/** The name alone could be that of the bot. */
const toVersion = ({ name, number }: SavedVersion) =>
  number === undefined ? `バージョン「${name}」` : `バージョン #${number}（${name}）`

export const versions: typeof English = {
  title: 'バージョン',
  intro:
    'バージョンは、ボットのコード、定義、インストール済みの連携を保存したコピーです。デプロイするたびに1つ保存されます。',
  saveHint:
    '設定や連携を変更した後に現在の状態を保存しておくと、その状態にロールバックできます。',
  save: '現在の状態を保存',
  saveTitle: 'ボットをバージョンとして保存',
  saveText: 'バージョンには、コード、定義、インストール済みの連携が含まれます。',
  saved: (name: string) => `「${name}」を保存しました`,
  versionName: 'バージョンの名前',
  description: '説明',
  empty: 'バージョンはまだありません',
  emptyHint: 'コードをデプロイしてください。デプロイするたびにバージョンになります。',
  running: '稼働中',
  modified: '稼働中（変更あり）',
  broken: '読み込み失敗',
  loadAgain: '再試行',
  by: (author: string) => `作成者: ${author}`,
  deployedAgain: '再デプロイ:',
  more: (name: string) => `「${name}」のその他の操作`,
  deploy: 'デプロイ',
  deployFiles: 'ファイルをデプロイ',
  deployTitle: 'ファイルをデプロイ',
  deployText:
    'バンドルはボットのコードを置き換えます。bot.jsonはコードと定義を置き換えます。連携が書かれている場合、書かれていない' +
    '連携は削除されます。結果はバージョンとして保存されます。',
  deployed: (name: string) => `「${name}」をデプロイしました`,
  deployedBroken: (name: string) => `「${name}」をデプロイしましたが、読み込めません`,
  rolledBack: (version: SavedVersion) => `${toVersion(version)}にロールバックしました`,
  rollback: 'このバージョンにロールバック',
  rollbackTo: ({ name, number }: SavedVersion) =>
    `${number === undefined ? `「${name.slice(0, 30)}」` : `#${number}`}にロールバック`,
  rollbackTitle: (version: SavedVersion) =>
    `${toVersion(version)}にロールバックしますか？`,
  rollbackNow: 'ロールバック',
  rollbackText:
    'ボットのコード、定義、連携がすぐにこのバージョンに戻ります。名前、タグ、シークレット、会話、データは変わりません。',
  rollbackChanges: '変更点:',
  rollbackSame: '定義ファイルは同じです。連携の設定は異なる可能性があります。',
  rollbackKept: '現在の状態は保存済みです。後から現在の状態に戻せます。',
  rollbackSaves:
    '先に現在の状態がバージョンとして保存されるため、後から現在の状態に戻せます。',
  removed: {
    integrations: (alias: string) =>
      `連携「${alias}」とその設定を削除します。ロールバックするまで、Webhookアドレスは使えません`,
    plugins: (alias: string) => `プラグイン「${alias}」とその設定を削除します`,
  } as Record<string, (alias: string) => string>,
  savedBeforeRollback: 'ロールバック前に保存',
  savedBeforeDeployment: 'デプロイ前に保存',
  rename: '名前を変更',
  renameTitle: (version: SavedVersion) => `${toVersion(version)}の名前を変更`,
  renamed: (name: string) => `バージョンの名前を「${name}」に変更しました`,
  deleteTitle: (version: SavedVersion) => `${toVersion(version)}を削除しますか？`,
  deleteText: 'このバージョンにロールバックできなくなります。ボットは動き続けます。',
  deleted: (version: SavedVersion) => `${toVersion(version)}を削除しました`,
  compare: '比較',
  openTitle: toVersion,
  view: '表示内容',
  views: {
    contents: '内容',
    former: '前のバージョンからの変更',
    current: '稼働中との比較',
  },
  same: '違いはありません。',
  since: (name: string) => `「${name}」からの変更:`,
  part: '対象',
  parts: {
    definition: '定義',
    code: 'コード',
  },
  changes: {
    added: (path: string) => `+ ${path}`,
    removed: (path: string) => `− ${path}`,
    changed: (path: string) => path,
  },
  moreChanges: (count: number) => `ほか${amount(count)}`,
  left: '変更前',
  right: '現在の状態',
  unified: (left: string, right: string) =>
    `赤い行は「${left}」、緑の行は「${right}」のものです。`,
  download: 'ダウンロード',
}
