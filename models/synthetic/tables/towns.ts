/** Real towns, most of them small, for countries of which faker only makes names up. */
export const TOWNS = {
  uk: 'Alnwick,Ashington,Bakewell,Bath,Bedford,Berwick,Blyth,Bolton,Bradford,Brighton,Bristol,Buxton,Cambridge,Carlisle,Chester,Coventry,Derby,Dover,Durham,Ely,Exeter,Falmouth,Gateshead,Grimsby,Halifax,Hexham,Hull,Ipswich,Kendal,Leeds,Lincoln,London,Ludlow,Luton,Morpeth,Norwich,Oxford,Penzance,Reading,Ripon,Rugby,Sale,Sandwich,Settle,Stoke,Sunderland,Swindon,Truro,Wells,Whitby,Wigan,Worthing,York'.split(
    ',',
  ),
  ireland:
    'Athlone,Ballina,Bantry,Birr,Carlow,Cashel,Cavan,Clifden,Cobh,Cork,Dingle,Drogheda,Dublin,Dundalk,Ennis,Galway,Gorey,Kells,Kenmare,Kilkenny,Killarney,Kinsale,Limerick,Listowel,Longford,Mallow,Monaghan,Mullingar,Naas,Navan,Nenagh,Roscommon,Skibbereen,Sligo,Swords,Thurles,Tralee,Trim,Tullamore,Waterford,Westport,Wexford,Wicklow,Youghal'.split(
      ',',
    ),
  australia:
    'Adelaide,Albury,Ararat,Ayr,Ballarat,Bathurst,Bega,Bendigo,Bourke,Bowen,Brisbane,Broome,Bundaberg,Burnie,Cairns,Canberra,Ceduna,Cobar,Cooma,Dalby,Darwin,Dubbo,Echuca,Emerald,Esperance,Geelong,Gladstone,Goulburn,Gympie,Hobart,Ipswich,Kiama,Longreach,Mackay,Melbourne,Mildura,Moree,Nowra,Orange,Parkes,Perth,Roma,Sale,Sydney,Tamworth,Toowoomba,Townsville,Wagga Wagga,Whyalla,Young'.split(
      ',',
    ),
};
