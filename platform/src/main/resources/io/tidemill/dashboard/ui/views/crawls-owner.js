// Whose crawls they are: the address that was used last, remembered by this browser.
const KEY = 'tidemill-crawl-owner';

export const isEmail = (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

export function rememberedOwner() {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

export function rememberOwner(email) {
  try {
    localStorage.setItem(KEY, email);
  } catch {
    // a browser that keeps nothing asks again
  }
}
