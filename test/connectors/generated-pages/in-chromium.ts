/** What Chromium makes of pages that it loads one after another, since only loaded documents have form owners. Sources of functions. */

const loading = `
  const load = (source) => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    const page = frame.contentDocument
    page.open()
    page.write(source)
    page.close()
    return { page, all: [...page.querySelectorAll('*')], window: frame.contentWindow, leave: () => frame.remove() }
  }
  const crlf = (text) => text.replaceAll(/\\r\\n|\\r|\\n/g, '\\r\\n')`

/** Of each element its name, attributes, form and text. */
export const trees = `(sources) => {
  ${loading}
  const textOf = (one) => [...one.childNodes].map((child) => child.nodeType === 1 ? textOf(child) : child.nodeType === 3 ? child.data : '').join('')
  return sources.map((source) => {
    const { all, leave } = load(source)
    const found = all.map((one) => [
      one.localName.toLowerCase(), one.getAttribute('href') ?? '', one.getAttribute('value') ?? '',
      /^(?:input|select|textarea|button)$/.test(one.localName) && one.form ? all.indexOf(one.form) : '', textOf(one),
    ].join('|'))
    leave()
    return found
  })
}`

/** The elements that each selector finds, by their place among all, and what the screen shows of each; null: see \`select\` in docs/connectors.md. */
export const selections = `({ sources, selectors }) => {
  ${loading}
  const apart = '[hidden], textarea, select, svg, math, noscript, object'
  const shown = (one) => one.innerText.split('\\n').map((line) => line.replaceAll(/\\s+/g, ' ').trim()).filter((line) => line !== '').join('\\n')
  return sources.map((source) => {
    const { page, all, leave } = load(source)
    const isShown = (one) => page.body?.contains(one) && !one.closest(apart + ', datalist') && !one.querySelector(apart)
    const found = selectors.map((css) => [...page.querySelectorAll(css)].map((one) => ({ at: all.indexOf(one), text: isShown(one) ? shown(one) : null })))
    leave()
    return found
  })
}`

export const addresses = `(sources) => {
  ${loading}
  return sources.map((source) => {
    const { all, leave } = load(source)
    const found = all.filter((one) => /^(?:a|area|link)$/.test(one.localName) && one.hasAttribute('href') && typeof one.href === 'string')
    leave()
    return found.map(({ href }) => href)
  })
}`

/** Where each form goes, and what it sends after a field is changed, or with a button; undefined: it has no such button. */
export const entries = `(jobs) => {
  ${loading}
  const change = (form, name, values) => {
    const left = [...values]
    const taken = (value) => left.includes(value) && left.splice(left.indexOf(value), 1)
    const own = [...form.elements].filter((one) => one.name === name && !one.matches(':disabled, button, output, object, [type=submit], [type=image], [type=file]'))
    const choices = own.filter(({ type }) => /^(?:checkbox|radio|select-one|select-multiple)$/.test(type))
    for (const one of choices.length > 0 ? choices : own)
      if (one.type === 'checkbox') one.checked = Boolean(taken(one.value))
      else if (one.type === 'radio') one.checked = Boolean(taken(one.value)) || one.checked
      else if (one.localName !== 'select') one.value = left.shift()
      else {
        const value = left.shift()
        const option = [...one.options].find((option) => option.value === value && !option.matches(':disabled'))
        if (one.multiple) for (const other of one.options) other.selected = other === option
        else option.selected = true
      }
  }
  return jobs.map(({ source, selector, set, button }) => {
    const { page, window, leave } = load(source)
    const form = page.querySelector(selector)
    const pressed = button && [...form.elements].find((one) => one.name === button && one.type === 'submit')
    if (set) change(form, ...set)
    const sent = button && (!pressed || pressed.matches(':disabled')) ? undefined : [...new window.FormData(form, pressed)]
    const { action } = form
    leave()
    return { action, entries: sent?.map(([name, value]) => [crlf(name), typeof value === 'string' ? crlf(value) : '']) ?? null }
  })
}`
