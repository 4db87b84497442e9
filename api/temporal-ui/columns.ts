/** Local storage key of the UI's columns in its list of runs, per namespace. Source: UI 2.54. */
const key = 'namespace-workflow-table-columns'
const columns = [
  'Status',
  ...['App', 'Endpoint', 'Outcome', 'Error', 'WaitingFor', 'Account'].map((name) => `Callgate${name}`),
  'Workflow ID',
  'Start',
  'End',
].map((label) => ({ label }))

/** Paths of the UI other than its single page, which shows every view. */
const noPage = /^\/(api|_app|render)(\/|\?|$)/

export function isPage(method: string, url: string): boolean {
  return method === 'GET' && !noPage.test(url)
}

/** The page with default columns, by a script before the page's policy, which would block it. */
export function withColumns(html: string, namespace: string): string {
  const [at, name, chosen] = [key, namespace, columns].map((value) =>
    JSON.stringify(value).replaceAll('<', String.raw`\u003c`),
  )
  const script = `<script>{
    const kept = JSON.parse(localStorage.getItem(${at}) ?? '{}')
    if (!kept[${name}]?.length) localStorage.setItem(${at}, JSON.stringify({ ...kept, [${name}]: ${chosen} }))
  }</script>`
  return html.replace('<head>', () => `<head>${script}`)
}
