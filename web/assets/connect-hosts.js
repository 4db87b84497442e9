// Part of connect.js: the hosts that the app's page asks for, and that only the person can allow.
/** Until then a click may have been meant for what was there before. */
const armedAfter = 1000

/** Shows them in `wants`, and says which one is allowed. */
globalThis.asksForHosts = (wants, allowed) => {
  const element = (name, text, className = '') =>
    Object.assign(document.createElement(name), { textContent: text, className })
  /** When each host was first asked for. */
  const since = new Map()
  const allow = (host) => {
    if (!since.has(host)) since.set(host, Date.now())
    const button = Object.assign(element('button', 'Allow', 'quiet'), { type: 'button' })
    button.setAttribute('aria-label', `Allow ${host}`)
    const early = since.get(host) + armedAfter - Date.now()
    if (early > 0) {
      button.disabled = true
      setTimeout(() => (button.disabled = false), early)
    }
    button.addEventListener('click', () => {
      allowed(host)
    })
    return button
  }
  const row = (host, before, after, button) => {
    const line = element('li', '', 'row')
    const words = element('span', before)
    words.append(element('strong', host, 'mono'), after)
    line.append(words)
    if (button) line.append(allow(host))
    return line
  }
  const list = (rows) => {
    const all = element('ul', '')
    all.append(...rows)
    return all
  }
  /** The hosts that the page wants and only the person can allow. Names are in ASCII: none looks like another. */
  return (hosts) => {
    const wasOpen = wants.querySelector('details')?.open ?? false
    const app = wants.dataset.app
    const pages = hosts.filter(({ page, unreachable }) => page && !unreachable)
    const parts = hosts.filter(({ page, unreachable }) => !page && !unreachable)
    const gone = hosts.filter(({ unreachable }) => unreachable)
    wants.hidden = hosts.length === 0
    wants.replaceChildren()
    if (pages.length > 0) wants.append(list(pages.map(({ host }) => row(host, `${app} wants to open `, '.', true))))
    if (parts.length > 0) {
      const more = Object.assign(document.createElement('details'), { open: wasOpen })
      const names = parts.length === 1 ? 'another host' : `${parts.length} other hosts`
      more.append(element('summary', `This page wants to load parts from ${names}`))
      more.append(list(parts.map(({ host }) => row(host, '', '', true))))
      wants.append(more)
    }
    if (gone.length > 0)
      wants.append(
        list(
          gone.map(({ host }) =>
            row(host, '', ' cannot be reached: it does not exist, or is inside a private network.'),
          ),
        ),
      )
    if (pages.length + parts.length > 0)
      wants.append(
        element(
          'p',
          'Allow only names that you know and expect here, such as your sign-in service or a CAPTCHA. It holds until this browser closes; the page is loaded again.',
          'hint',
        ),
      )
  }
}
