// Code is copied with one press; without this it can be selected.
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent).then(
      () => 'Copied',
      () => 'Select it and copy',
    )
    button.textContent = copied
    setTimeout(() => (button.textContent = label), 2_000)
  })
}
