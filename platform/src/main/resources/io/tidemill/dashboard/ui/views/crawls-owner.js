// The owner of crawls: the email address used last, kept in local storage.
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
    // without local storage the user is asked again
  }
}
