/// Given names that are common where the vocabulary's languages are spoken, folded. A row that begins with one is likely a person's.
enum GivenNames {
    private static let names: Set<String> = Set(
        """
        james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark paul steven
        andrew kenneth george kevin brian edward ronald timothy jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry
        justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron henry adam
        peter simon mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy sandra ashley emily
        kimberly margaret donna michelle carol amanda melissa deborah stephanie rebecca laura helen sharon cynthia kathleen amy
        angela shirley anna ruth brenda pamela nicole katherine samantha christine emma catherine virginia rachel janet maria
        heather diane julie olivia joyce victoria kelly lauren joan evelyn judith megan andrea cheryl hannah jacqueline martha
        gloria teresa sara janice julia grace judy theresa sophie charlotte lucy oliver harry lewis
        hans peter wolfgang klaus jurgen dieter manfred uwe helmut horst gunter gerhard heinz werner bernd frank rainer stefan
        andreas thomas michael markus matthias christian martin jorg sven dirk jens ralf oliver torsten florian sebastian tobias
        jan felix lukas maximilian jonas leon moritz philipp johannes franz josef karl friedrich wilhelm otto kurt ursula monika
        petra elisabeth sabine renate helga karin brigitte ingrid erika andrea gisela claudia susanne gabriele christa christine
        hildegard birgit heike stefanie katharina kathrin katrin anja silke martina tanja nicole julia melanie sandra lena marie
        sophie johanna eva barbara annette ulrike angelika cornelia franziska
        jean pierre michel andre philippe rene louis alain jacques bernard marcel daniel roger robert paul claude christian henri
        georges nicolas francois francoise laurent olivier pascal thierry eric bruno patrick vincent julien sebastien guillaume
        antoine mathieu alexandre benoit camille isabelle nathalie sylvie catherine monique valerie sandrine veronique nicole
        christelle celine stephanie aurelie emilie chloe lea manon juliette helene anne martine brigitte dominique jacqueline
        antonio jose manuel francisco david juan javier daniel carlos jesus alejandro miguel rafael pedro pablo angel sergio
        fernando jorge luis alberto alvaro diego adrian raul enrique ramon vicente ivan ruben oscar andres joaquin santiago
        eduardo victor roberto jaime mario ignacio marcos alfonso salvador ricardo carmen ana isabel dolores pilar josefa
        cristina marta lucia elena mercedes rosa raquel beatriz silvia patricia rocio monica alicia sonia natalia irene
        giuseppe giovanni mario luigi andrea angelo vincenzo pietro salvatore carlo franco domenico bruno paolo michele giorgio
        aldo sergio luciano marco matteo alessandro luca davide simone stefano francesco riccardo fabio massimo claudio giulia
        chiara francesca federica silvia valentina alessandra paola laura elisa martina sara giorgia ilaria roberta simona
        giovanna rosa lucia caterina
        joao luis paulo rui nuno tiago goncalo duarte vasco filipe henrique andre bruno ricardo hugo miguel pedro catarina
        ines mariana joana margarida sofia teresa rita filipa leonor beatriz renato thiago rodrigo gustavo leonardo marcelo
        fabiana juliana fernanda aline camila larissa leticia gabriela tatiana vanessa adriana renata luciana
        johannes jan pieter cornelis hendrik willem dirk gerrit jacob marinus kees henk piet sander bram daan sem thijs bas jeroen
        wouter maarten martijn joost ruud anouk femke lotte sanne fleur marieke annelies ingrid wilma saskia esther
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    static func contains(_ folded: String) -> Bool { names.contains(folded) }
}
